// The konnectivity server beside the API server. Which program that is, is chosen here and nowhere else.
import path from 'node:path';
import type { KonnectivityPlan } from '../../plan/schema/index.ts';
import type { ComponentSpec } from '../component.ts';
import type { ControlPlaneInput } from '../control-plane.ts';
import type { ControlPlanePki } from '../pki/pki.ts';
import { flagsOf, loopback } from './flags.ts';
import { kubeconfigFile } from './kubeconfig-file.ts';

/** Whose tokens are believed; bootstrap objects make it, and workers are given its tokens. */
export const konnectivityAccount = { namespace: 'kube-system', name: 'konnectivity-agent' } as const;

/** What agents are told by the plan, wherever they run. */
export const agentFlags = ({ keepalive, syncForever }: KonnectivityPlan['agent']): string[] => [
  `--keepalive-time=${keepalive}`,
  // Without it an agent still comes back to the servers that it knows, for as long as it lives.
  ...(syncForever ? ['--sync-forever'] : []),
];

type KonnectivityEngine = (input: ControlPlaneInput, pki: ControlPlanePki) => ComponentSpec;

export const konnectivityServer: KonnectivityEngine = (input, pki) => engines.upstream(input, pki);

const engines = { upstream } satisfies Record<string, KonnectivityEngine>;

function upstream(input: ControlPlaneInput, pki: ControlPlanePki): ComponentSpec {
  const { home, ports } = input;
  const { server } = input.konnectivity;
  const kubeconfig = kubeconfigFile(input, 'konnectivity-server', pki.ca, pki.konnectivityServer);
  return {
    scope: `cluster/${input.cluster}`,
    name: 'konnectivity-server',
    program: { name: 'konnectivity-server' },
    args: flagsOf({
      mode: 'grpc',
      'uds-name': home.konnectivitySocket,
      'server-port': 0,
      'agent-bind-address': loopback,
      'agent-port': ports.konnectivityAgents,
      'cluster-cert': pki.konnectivity.cert,
      'cluster-key': pki.konnectivity.key,
      'agent-namespace': konnectivityAccount.namespace,
      'agent-service-account': konnectivityAccount.name,
      'authentication-audience': server.tokenAudience,
      kubeconfig: kubeconfig.path,
      'admin-bind-address': loopback,
      'admin-port': ports.konnectivityAdmin,
      'health-bind-address': loopback,
      'health-port': ports.konnectivityHealth,
      'server-count': server.serverCount,
      'keepalive-time': server.keepalive,
      'frontend-keepalive-time': server.keepalive,
      'xfr-channel-size': 150,
      v: 1,
    }),
    // It never reads its certificate again: with another one it is another component.
    env: { CERTIFICATE: pki.marks.konnectivity },
    files: [kubeconfig],
    directories: [home.config, path.dirname(home.konnectivitySocket)],
    after: ['kube-apiserver'],
    probe: { kind: 'http', url: `http://${loopback}:${ports.konnectivityHealth}/healthz` },
  };
}
