// The kubelet, which joins as kubeadm's do: by a bootstrap token, for which the control plane gives it a certificate.
import path from 'node:path';
import {
  type ComponentSpec,
  clusterDns,
  kubeconfigText,
  realNodeName,
  workerLabel,
} from '../../../../control-plane/index.ts';
import { settingsOf } from '../../../../plan/settings/index.ts';
import { isIPv4 } from './addresses.ts';
import { jsonFile, tokenFile, type WorkerParts, workerComponent } from './parts.ts';

/** A pod can only start where the image of its sandbox is; containerd may need a moment before it takes it. */
const withPauseImage =
  'until "$1" --address "$2" --namespace k8s.io images import "$3"; do sleep 1; done; shift 3; exec "$@"';

export function kubelet(parts: WorkerParts): ComponentSpec {
  const { layout, input, secrets, programs, addresses } = parts;
  const at = (name: string): string => path.join(layout.root, name);
  const flags = [
    `--config=${at('kubelet.json')}`,
    `--bootstrap-kubeconfig=${at('bootstrap.kubeconfig')}`,
    `--kubeconfig=${at('kubelet/kubeconfig')}`,
    `--hostname-override=${realNodeName(input.cluster)}`,
    `--node-ip=${addresses.node}`,
    `--node-labels=${workerLabel}=real`,
  ];
  const importing = [programs.ctr, '/run/containerd/containerd.sock', pauseImageFile(layout.root)];
  return workerComponent(parts, {
    name: 'kubelet',
    needs: ['containerd'],
    health: { port: 10_248, path: '/healthz' },
    command: ['sh', '-c', withPauseImage, 'sh', ...importing, programs.kubelet, ...flags],
    files: [
      { path: clusterCaFile(layout.root), text: secrets.ca },
      jsonFile(at('kubelet.json'), kubeletConfiguration(parts)),
      {
        path: at('bootstrap.kubeconfig'),
        text: kubeconfig(parts, { token: secrets.bootstrapToken }),
        reloads: true,
      },
    ],
  });
}

export const pauseImageFile = (root: string): string => path.join(root, 'pause.tar');
export const clusterCaFile = (root: string): string => path.join(root, 'cluster-ca.crt');

const kubeletConfiguration = ({ layout, input }: WorkerParts): object => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: true },
    x509: { clientCAFile: clusterCaFile(layout.root) },
  },
  authorization: { mode: 'Webhook' },
  rotateCertificates: true,
  serverTLSBootstrap: true,
  containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
  clusterDomain: settingsOf(input.planned.plan, input.cluster).dnsDomain,
  clusterDNS: clusterDns(settingsOf(input.planned.plan, input.cluster).services.filter(isIPv4)),
  ...sharedMachineSettings(layout.controlGroup),
});

/** It shares the machine with everybody: it may swap, no disk is too full, nothing is set for the whole system. */
export const sharedMachineSettings = (controlGroup: string): object => ({
  cgroupDriver: 'cgroupfs',
  cgroupRoot: `/${controlGroup}`,
  failCgroupV1: false,
  failSwapOn: false,
  enforceNodeAllocatable: [],
  evictionHard: { 'memory.available': '50Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
  imageGCHighThresholdPercent: 100,
  makeIPTablesUtilChains: false,
  volumePluginDir: '/var/lib/kubelet/volume-plugins',
});

// How the worker's own clients find the API server: by its name, through the gateway.

export const kubeconfig = (
  { input, secrets }: WorkerParts,
  user: { readonly token: string } | { readonly tokenFile: string },
): string => kubeconfigText({ server: input.endpoint.kubeconfigServer ?? '' }, secrets.ca, user);

// kube-proxy: service addresses of the cluster become addresses of endpoints, that of the API server the node agent's.

export function kubeProxy(parts: WorkerParts): ComponentSpec {
  const { layout, secrets, programs } = parts;
  const at = (name: string): string => path.join(layout.root, name);
  const config = at('kube-proxy.json');
  return workerComponent(parts, {
    name: 'kube-proxy',
    health: { port: 10_256, path: '/livez' },
    command: [programs['kube-proxy'], `--config=${config}`],
    files: [
      tokenFile(kubeProxyTokenFile(layout.root), secrets.kubeProxyToken),
      { path: at('kube-proxy.kubeconfig'), text: kubeconfig(parts, { tokenFile: kubeProxyTokenFile(layout.root) }) },
      jsonFile(config, kubeProxyConfiguration(parts, at('kube-proxy.kubeconfig'))),
    ],
  });
}

export const kubeProxyTokenFile = (root: string): string => path.join(root, 'kube-proxy.token');

const kubeProxyConfiguration = ({ input }: WorkerParts, file: string): object => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  mode: 'nftables',
  clientConnection: { kubeconfig: file },
  hostnameOverride: realNodeName(input.cluster),
  clusterCIDR: input.pods.filter(isIPv4).join(','),
  healthzBindAddress: '127.0.0.1:10256',
  metricsBindAddress: '127.0.0.1:10249',
  // These limits are the whole machine's.
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
});
