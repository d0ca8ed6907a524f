// Envoy as KKP's envoy-manager configures it, at scale: one filter chain and one cluster per host, all sent anew for every
// change.
import path from 'node:path';
import { apiNameOf, rawNameOf, type StartChangeable } from '../change.ts';
import { prepareFile } from '../prepare-file.ts';
import { configure, freePort, type Setting } from '../subject.ts';
import { startEnvoy } from './envoy.ts';

const types = 'type.googleapis.com/envoy';

export const startEnvoyFiles: StartChangeable = async (setting, clusters) => {
  const port = await freePort();
  const prepare = (count: number): (() => void) => prepareAll(setting, port, count);
  prepare(clusters)();
  const program = startEnvoy(setting, 'envoy-files', configure(setting, 'envoy-files.yaml', {}));
  return { name: 'envoy', address: `127.0.0.1:${port}`, programs: [program], prepare };
};

/** Clusters before the listener that names them, as xDS orders it. */
function prepareAll(setting: Setting, port: number, clusters: number): () => void {
  const hosts = Array.from({ length: clusters }, (_, i) => [apiNameOf(i + 1), rawNameOf(i + 1)]).flat();
  const resources = hosts.map((host) => clusterOf(host, setting.backend));
  const publishClusters = prepareFile(path.join(setting.directory, 'cds.json'), { resources });
  const publishListener = prepareFile(path.join(setting.directory, 'lds.json'), { resources: [listener(port, hosts)] });
  return () => {
    publishClusters();
    publishListener();
  };
}

const address = (port: number): object => ({ socket_address: { address: '127.0.0.1', port_value: port } });

const clusterOf = (name: string, backend: number): object => ({
  '@type': `${types}.config.cluster.v3.Cluster`,
  name,
  type: 'STATIC',
  connect_timeout: '1s',
  lb_policy: 'ROUND_ROBIN',
  load_assignment: {
    cluster_name: name,
    endpoints: [{ lb_endpoints: [{ endpoint: { address: address(backend) } }] }],
  },
});

const listener = (port: number, hosts: readonly string[]): object => ({
  '@type': `${types}.config.listener.v3.Listener`,
  name: 'sni_listener',
  address: address(port),
  listener_filters: [
    {
      name: 'envoy.filters.listener.tls_inspector',
      typed_config: { '@type': `${types}.extensions.filters.listener.tls_inspector.v3.TlsInspector` },
    },
  ],
  filter_chains: hosts.map(filterChain),
});

const filterChain = (host: string): object => ({
  filter_chain_match: { server_names: [host], transport_protocol: 'tls' },
  filters: [
    {
      name: 'envoy.filters.network.tcp_proxy',
      typed_config: {
        '@type': `${types}.extensions.filters.network.tcp_proxy.v3.TcpProxy`,
        stat_prefix: 'ingress_tcp',
        cluster: host,
      },
    },
  ],
});
