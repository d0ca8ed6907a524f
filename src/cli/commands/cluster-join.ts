import { CausewayError } from '../../core/errors.ts';
import type { JoinInfo } from '../../platform/index.ts';
import { joinScript, kubeadmLine } from '../cluster/join-script.ts';
import { controlClient } from '../control/control-client.ts';
import { asTyped } from '../started-as.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import { ofKnownCluster } from './cluster-list.ts';

interface Options {
  readonly dir?: string;
  readonly ttl: string;
  readonly output: keyof typeof formats;
}

const formats = {
  script: joinScript,
  kubeadm: kubeadmLine,
  json: (info: JoinInfo) => `${JSON.stringify(info, null, 2)}\n`,
} as const;

/** Only what the machine needs on standard output, so that it can be put into a file or a pipe. */
export async function runClusterJoin(cluster: string, { dir, ttl, output }: Options): Promise<number> {
  const path = `/api/v1/clusters/${encodeURIComponent(cluster)}/join`;
  const client = controlClient(platformDirectory(dir));
  const info = JSON.parse(await ofKnownCluster(client, cluster, () => client.ask('POST', path, { ttl }))) as JoinInfo;
  if (output === 'kubeadm') assertKubeadmSuffices(info);
  for (const warning of info.warnings) process.stderr.write(asTyped(`warning: ${warning}\n`));
  process.stdout.write(formats[output](info));
  return 0;
}

/** A node that joined without these would look well, and its pods would not work. */
function assertKubeadmSuffices({ cluster, tunnel, proxy }: JoinInfo): void {
  if (tunnel === undefined && proxy === undefined) return;
  const what = tunnel === undefined ? 'the settings of the proxy' : 'the node agent, through which pods reach it';
  throw new CausewayError(
    'CW-JOIN-KUBEADM',
    `kubeadm join alone is not enough for a worker of ${cluster}: it needs ${what}`,
    `run "causeway cluster join ${cluster}" without --output: its script does both`,
  );
}
