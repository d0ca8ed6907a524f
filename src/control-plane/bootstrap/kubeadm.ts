// What `kubeadm join` asks a cluster before it makes a machine a worker: how the cluster is set up, and how a kubelet
// of it is. Names and keys are kubeadm's own.
import { formatAddress, parseCidr } from '../../core/ip.ts';
import type { KubeObject } from '../../kube/index.ts';
import { hostPort } from '../../plan/index.ts';
import type { ControlPlaneInput } from '../control-plane.ts';
import { group, nodesGroup, roleIn, tokenGroup } from './rbac.ts';

export type KubeadmInput = Pick<ControlPlaneInput, 'cluster' | 'kubernetesVersion' | 'endpoint' | 'network'>;

export const kubeadmObjects = (input: KubeadmInput): KubeObject[] => [
  ...readable('kubeadm-config', 'kubeadm:nodes-kubeadm-config', { ClusterConfiguration: clusterConfiguration(input) }),
  ...readable('kubelet-config', 'kubeadm:kubelet-config', { kubelet: kubeletConfiguration(input) }),
];

/** By machines that join, and by nodes, which kubeadm upgrades later. JSON is YAML. */
function readable(name: string, role: string, data: Record<string, object>): KubeObject[] {
  const rule = { apiGroups: [''], resources: ['configmaps'], resourceNames: [name], verbs: ['get'] };
  const texts = Object.entries(data).map(([key, value]) => [key, `${JSON.stringify(value, null, 2)}\n`]);
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'kube-system' },
      data: Object.fromEntries(texts),
    },
    ...roleIn('kube-system', role, [rule], [group(tokenGroup), group(nodesGroup)]),
  ];
}

function clusterConfiguration({ cluster, kubernetesVersion, endpoint, network }: KubeadmInput): object {
  const { host, port } = endpoint.apiServer;
  return {
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'ClusterConfiguration',
    clusterName: cluster,
    kubernetesVersion: `v${kubernetesVersion}`,
    ...(host === null || port === null ? {} : { controlPlaneEndpoint: hostPort(host, port) }),
    networking: {
      dnsDomain: network.dnsDomain,
      serviceSubnet: network.services.join(','),
      podSubnet: network.pods.join(','),
    },
  };
}

/** What is not said here is kubeadm's default. */
const kubeletConfiguration = ({ network }: KubeadmInput): object => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  clusterDomain: network.dnsDomain,
  clusterDNS: clusterDns(network.services).slice(0, 1),
  rotateCertificates: true,
  // By the authority that the API server knows kubelets by, instead of one of its own making.
  serverTLSBootstrap: true,
});

/** Where clusters have their name server by custom: the tenth address of the services. */
export const clusterDns = (services: readonly string[]): string[] =>
  services.map(parseCidr).map(({ family, first }) => formatAddress({ family, value: first + 10n }));
