// What a cluster has for machines that others provide: konnectivity agents, which come to every such node by themselves,
// and the one token of node agents that all nodes fetched before each had its own (node-tokens.ts).
import type { KubeClient, KubeObject } from '../../kube/index.ts';
import type { KonnectivityPlan } from '../../plan/schema/index.ts';
import { konnectivityAccount } from '../components/konnectivity.ts';
import { konnectivityAgentArgs } from '../components/konnectivity-agent.ts';
import { group, nodesGroup, roleIn, workerLabel } from './rbac.ts';

export interface JoinedWorkers {
  readonly konnectivity: KonnectivityPlan;
  /** Image of the konnectivity agent. */
  readonly image: string;
  /** With credentials, where konnectivity agents go through a proxy. */
  readonly proxy?: string;
  /** Only where machines fetch it still that joined by an earlier release. */
  readonly sharedToken?: string;
}

/** Made first of all, also where there is no tunnel: whoever finds it knows that the cluster has such machines. */
const agentTokenName = 'causeway-node-agent';
export const agentTokenPath = `/api/v1/namespaces/kube-system/secrets/${agentTokenName}`;
const proxyName = 'konnectivity-agent-proxy';

/** Whether nodes were given a token in common. */
export async function hasSharedToken(client: KubeClient): Promise<boolean> {
  const found = await client.get<{ readonly data?: { readonly token?: string } }>(agentTokenPath);
  return (found?.data?.token ?? '') !== '';
}

/** One after the other: nothing is there without the mark that it has to be renewed. */
export async function applyJoinedWorkers(client: KubeClient, wanted: JoinedWorkers): Promise<void> {
  for (const object of joinedWorkerObjects(wanted)) await client.apply(object);
}

export const joinedWorkerObjects = (wanted: JoinedWorkers): KubeObject[] => [
  ...tokenOfAgents(wanted.sharedToken ?? ''),
  secret(proxyName, { url: wanted.proxy ?? '' }),
  konnectivityAgents(wanted),
];

function tokenOfAgents(token: string): KubeObject[] {
  const rule = { apiGroups: [''], resources: ['secrets'], resourceNames: [agentTokenName], verbs: ['get'] };
  return [
    secret(agentTokenName, { token }),
    ...roleIn('kube-system', 'causeway:node-agent', [rule], [group(nodesGroup)]),
  ];
}

const secret = (name: string, stringData: Record<string, string>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'kube-system' },
  stringData,
});

const labels = { app: konnectivityAccount.name };
/** Of the image's own; a number, because the kubelet lets nobody else read the token. */
const nobody = 65_532;

const konnectivityAgents = (wanted: JoinedWorkers): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { ...konnectivityAccount, labels },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: agentPod(wanted) },
  },
});

/** On the node's own network: logs of a pod network that does not work yet are those that are needed most. */
const agentPod = (wanted: JoinedWorkers): object => ({
  serviceAccountName: konnectivityAccount.name,
  automountServiceAccountToken: false,
  hostNetwork: true,
  dnsPolicy: 'Default',
  priorityClassName: 'system-node-critical',
  tolerations: [{ operator: 'Exists' }],
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: othersNodes } },
  securityContext: { runAsNonRoot: true, runAsUser: nobody, runAsGroup: nobody },
  containers: [agentContainer(wanted)],
  volumes: [{ name: 'credentials', projected: { sources: credentials(wanted) } }],
});

const othersNodes = {
  nodeSelectorTerms: [{ matchExpressions: [{ key: workerLabel, operator: 'DoesNotExist' }] }],
};

const place = '/var/run/konnectivity';

/** The kubelet renews the token by itself. */
const credentials = ({ konnectivity }: JoinedWorkers): object[] => [
  { serviceAccountToken: { path: 'token', audience: konnectivity.server.tokenAudience, expirationSeconds: 3600 } },
  { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
];

const healthPort = 8134;

const agentContainer = ({ konnectivity: { agent }, image, proxy }: JoinedWorkers): object => ({
  name: konnectivityAccount.name,
  image,
  args: konnectivityAgentArgs({
    ...{ serverHost: agent.host, serverPort: agent.port, caFile: `${place}/ca.crt`, tokenFile: `${place}/token` },
    ...{ planned: agent, id: '$(NODE)', flags: ['--logtostderr=true'] },
    ...{ healthHost: '127.0.0.1', healthPort, adminHost: '127.0.0.1', adminPort: 8133 },
  }),
  env: [
    { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    ...(proxy === undefined
      ? []
      : [{ name: 'HTTPS_PROXY', valueFrom: { secretKeyRef: { name: proxyName, key: 'url' } } }]),
  ],
  readinessProbe: { httpGet: { host: '127.0.0.1', port: healthPort, path: '/readyz' } },
  livenessProbe: { httpGet: { host: '127.0.0.1', port: healthPort, path: '/healthz' } },
  securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
  volumeMounts: [{ name: 'credentials', mountPath: place, readOnly: true }],
});
