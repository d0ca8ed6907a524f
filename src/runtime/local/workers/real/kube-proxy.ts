// kube-proxy: service addresses of the cluster become addresses of endpoints, that of the API server the node agent's.

import path from 'node:path';
import type { ComponentSpec } from '../../../../control-plane/component.ts';
import { realNodeName } from '../../../../control-plane/own-nodes.ts';
import { isFourth } from './addresses.ts';
import { kubeconfig } from './kubeconfig.ts';
import { jsonFile, onWorkerSpec, tokenFile, type WorkerParts } from './parts.ts';

export function kubeProxy(parts: WorkerParts): ComponentSpec {
  const { layout, secrets, programs } = parts;
  const at = (name: string): string => path.join(layout.root, name);
  const config = at('kube-proxy.json');
  return onWorkerSpec(parts, {
    name: 'kube-proxy',
    health: { port: 10_256, path: '/livez' },
    command: [programs['kube-proxy'], `--config=${config}`],
    files: [
      tokenFile(kubeProxyTokenFile(layout.root), secrets.kubeProxyToken),
      { path: at('kube-proxy.kubeconfig'), text: kubeconfig(parts, { tokenFile: kubeProxyTokenFile(layout.root) }) },
      jsonFile(config, configuration(parts, at('kube-proxy.kubeconfig'))),
    ],
  });
}

export const kubeProxyTokenFile = (root: string): string => path.join(root, 'kube-proxy.token');

const configuration = ({ input }: WorkerParts, file: string): object => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  mode: 'nftables',
  clientConnection: { kubeconfig: file },
  hostnameOverride: realNodeName(input.cluster),
  clusterCIDR: input.pods.filter(isFourth).join(','),
  healthzBindAddress: '127.0.0.1:10256',
  metricsBindAddress: '127.0.0.1:10249',
  // These limits are the whole machine's.
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
});
