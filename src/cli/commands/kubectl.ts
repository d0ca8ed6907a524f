// kubectl for a cluster of the running platform: fetched where it is missing, with a kubeconfig of its own.
import path from 'node:path';
import { platformHome } from '../../control-plane/home.ts';
import { controlClient } from '../../platform/control/control-client.ts';
import { needPrograms } from '../../programs/need-programs.ts';
import { progressTo } from '../../programs/progress.ts';
import { ofKnownCluster } from '../cluster/known-cluster.ts';
import { runWithKubeconfig } from '../kubectl/run-with-kubeconfig.ts';
import { kubectlFor } from '../kubectl/which-kubectl.ts';
import { platformDirectory } from '../up/choose-directory.ts';

interface Options {
  readonly role: 'admin' | 'viewer';
  readonly ttl: string;
  readonly dir?: string;
}

export async function runKubectl(
  cluster: string,
  args: readonly string[],
  { role, ttl, dir }: Options,
): Promise<number> {
  const directory = platformDirectory(dir);
  const client = controlClient(directory);
  const at = `/api/v1/clusters/${encodeURIComponent(cluster)}`;
  const detail = await ofKnownCluster(client, cluster, () => client.ask('GET', at));
  const wanted = kubectlFor((JSON.parse(detail) as { readonly version: string }).version);
  const { [wanted]: kubectl } = await needPrograms([wanted], { progress: progressTo(process.stderr) });
  // Only now: it is good for so long from here on.
  const kubeconfig = await client.ask('GET', `${at}/kubeconfig?${new URLSearchParams({ role, ttl })}`);
  return runWithKubeconfig(kubectl as string, args, kubeconfig, environment(directory, cluster));
}

/** kubectl keeps what it learnt by address, and clusters behind one gateway have the same one. */
const environment = (directory: string, cluster: string): NodeJS.ProcessEnv => ({
  KUBECACHEDIR: path.resolve(platformHome(directory).state, 'kubectl', cluster),
  ...process.env,
});
