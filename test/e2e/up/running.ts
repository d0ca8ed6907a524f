// A platform that the command line has started, as its user meets it: commands, kubectl, and processes to be killed.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import type { Events } from '../../../src/api/schema/events.ts';
import { controlClient } from '../../../src/cli/control/control-client.ts';
import type { Status } from '../../../src/cli/up/summary.ts';
import type { Hop } from '../../../src/platform/view.ts';
import type { ObservedComponent } from '../../../src/runtime/platform-runtime.ts';
import { type CliResult, causewayLater, commandLine } from '../../support/cli.ts';
import { until } from '../../support/gateway/until.ts';
import type { LocalPlatform } from '../../support/local-platform.ts';

const runFile = promisify(execFile);

export interface Running {
  up(...flags: string[]): Promise<CliResult>;
  causeway(...args: string[]): Promise<CliResult>;
  /** As the command prints it, without a process for each time. */
  status(): Promise<Status>;
  /** Those after this one, or the newest. */
  events(after?: number): Promise<Events>;
  component(scope: string, name: string): Promise<ObservedComponent>;
  /** That konnectivity agents of a cluster ever opened to the gateway. */
  agentConnections(cluster: string): Promise<number>;
  /** kubectl with the kubeconfig of a cluster, changed if need be. */
  kubectl(cluster: string, args: readonly string[], change?: (cluster: ClusterOfConfig) => void): Promise<string>;
}

/** What a kubeconfig says about how to get there. */
export interface ClusterOfConfig {
  server: string;
  'tls-server-name'?: string;
  'proxy-url'?: string;
}

export function running(local: LocalPlatform, kubectlProgram: string, main = commandLine): Running {
  const causeway = (...args: string[]): Promise<CliResult> => causewayLater(args, { cwd: local.directory, main });
  const client = controlClient(local.directory);
  const status = async (): Promise<Status> => JSON.parse(await client.ask('GET', '/api/v1/status')) as Status;
  const kubeconfigs = new Map<string, string>();
  const kubeconfigOf = async (cluster: string): Promise<string> => {
    const known = kubeconfigs.get(cluster) ?? (await causeway('kubeconfig', cluster)).stdout;
    kubeconfigs.set(cluster, known);
    return known;
  };
  return {
    causeway,
    status,
    async events(after) {
      const query = after === undefined ? '' : `?limit=1000&after=${after}`;
      return JSON.parse(await client.ask('GET', `/api/v1/events${query}`)) as Events;
    },
    up: (...flags) => causeway('up', '--detach', '--wait', '4m', '--port', '0', ...flags),
    async component(scope, name) {
      const found = (await status()).components.find((one) => one.scope === scope && one.name === name);
      if (found === undefined) throw new Error(`there is no ${name} of ${scope}`);
      return found;
    },
    async agentConnections(cluster) {
      const { hops } = JSON.parse(await client.ask('GET', `/api/v1/clusters/${cluster}`)) as { hops: Hop[] };
      return hops.find(({ id }) => id === `konnectivity/${cluster}`)?.traffic?.accepted ?? Number.NaN;
    },
    async kubectl(cluster, args, change = () => {}) {
      const config = parse(await kubeconfigOf(cluster)) as { clusters: [{ cluster: ClusterOfConfig }] };
      change(config.clusters[0].cluster);
      const file = local.at(`${cluster}.kubeconfig`);
      writeFileSync(file, stringify(config), { mode: 0o600 });
      const common = ['--kubeconfig', file, '--cache-dir', local.at('.kube-cache'), '--request-timeout=20s'];
      return (await runFile(kubectlProgram, [...common, ...args])).stdout;
    },
  };
}

/** Its process is killed, another one takes its place, and all is well again. */
export async function heals(platform: Running, scope: string, name: string): Promise<void> {
  const { pid } = await platform.component(scope, name);
  if (pid === undefined) throw new Error(`${name} of ${scope} does not run`);
  process.kill(pid, 'SIGKILL');
  await until(async () => {
    const now = await platform.component(scope, name);
    return now.healthy && now.pid !== pid;
  }, 60_000);
}
