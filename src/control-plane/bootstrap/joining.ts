// How a worker joins with nothing but a token, as kubeadm does it: it reads the signed cluster-info, asks for a
// certificate, and gets it without anybody's hand. Names are kubeadm's, so that its tools find them.
import type { KubeObject } from '../../kube/index.ts';
import { hostPort } from '../../plan/index.ts';
import type { Endpoint } from '../../plan/schema/index.ts';
import {
  account,
  clusterBinding,
  clusterRole,
  group,
  nodesGroup,
  roleIn,
  serviceAccount,
  tokenGroup,
  user,
} from './rbac.ts';

/** Of kube-proxy on every worker. */
export const kubeProxyAccount = { namespace: 'kube-system', name: 'kube-proxy' } as const;
const signing = 'system:certificates.k8s.io:certificatesigningrequests';

export const joiningObjects = (endpoint: Endpoint, ca: string): KubeObject[] => [
  ...clusterInfo(endpoint, ca),
  clusterBinding('kubeadm:kubelet-bootstrap', 'system:node-bootstrapper', group(tokenGroup)),
  clusterBinding('kubeadm:node-autoapprove-bootstrap', `${signing}:nodeclient`, group(tokenGroup)),
  clusterBinding('kubeadm:node-autoapprove-certificate-rotation', `${signing}:selfnodeclient`, group(nodesGroup)),
  clusterRole('kubeadm:get-nodes', [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }]),
  clusterBinding('kubeadm:get-nodes', 'kubeadm:get-nodes', group(tokenGroup)),
  serviceAccount(kubeProxyAccount.namespace, kubeProxyAccount.name),
  clusterBinding(
    'kubeadm:node-proxier',
    'system:node-proxier',
    account(kubeProxyAccount.namespace, kubeProxyAccount.name),
  ),
];

/** Nothing while the address does not exist: a worker could not use it. */
function clusterInfo({ apiServer }: Endpoint, ca: string): KubeObject[] {
  if (apiServer.host === null || apiServer.port === null) return [];
  const server = `https://${hostPort(apiServer.host, apiServer.port)}`;
  const cluster = { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  // Exactly this text is what tokens sign, so it has no names of its own.
  const kubeconfig = JSON.stringify({ apiVersion: 'v1', kind: 'Config', clusters: [{ name: '', cluster }] });
  const metadata = { name: 'cluster-info', namespace: 'kube-public' };
  const rule = { apiGroups: [''], resources: ['configmaps'], resourceNames: ['cluster-info'], verbs: ['get'] };
  return [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { kubeconfig } },
    ...roleIn('kube-public', 'kubeadm:bootstrap-signer-clusterinfo', [rule], [user('system:anonymous')]),
  ];
}

export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
  /** Milliseconds. */
  readonly expiresAt: number;
}

export const bootstrapTokenObject = ({ id, secret, expiresAt }: BootstrapToken): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
  type: 'bootstrap.kubernetes.io/token',
  stringData: {
    'token-id': id,
    'token-secret': secret,
    expiration: new Date(expiresAt).toISOString().replace(/\.\d+Z$/, 'Z'),
    'usage-bootstrap-authentication': 'true',
    'usage-bootstrap-signing': 'true',
    'auth-extra-groups': tokenGroup,
  },
});
