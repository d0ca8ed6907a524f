// Envoy as KKP configures it: a filter chain per name behind tls_inspector, a virtual host per authority in cleartext
// HTTP/2, a listener per node port. Differences are marked.
import type { Snapshot, SnapshotRoute } from '../../../src/gateway/index.ts';

export type Resource = Record<string, unknown>;

const typeUrl = (name: string): string => `type.googleapis.com/envoy.${name}`;
const typed = (name: string, fields: Resource = {}): Resource => ({ '@type': typeUrl(name), ...fields });

interface Named {
  readonly key: string;
  readonly route: SnapshotRoute;
}

const routesOf = ({ clusters }: Snapshot): Named[] =>
  Object.entries(clusters).flatMap(([name, { apiServer, konnectivity }]) => [
    { key: `cluster-${name}/apiserver-external`, route: apiServer },
    { key: `cluster-${name}/konnectivity-server`, route: konnectivity },
  ]);

/** host:port or [v6]:port. */
function socketAddress(target: string): Resource {
  const at = target.lastIndexOf(':');
  const address = target.slice(0, at).replace(/^\[|\]$/g, '');
  return { address: { socket_address: { address, port_value: Number(target.slice(at + 1)) } } };
}

export const envoyClusters = (snapshot: Snapshot): Resource[] =>
  routesOf(snapshot).map(({ key, route }) =>
    typed('config.cluster.v3.Cluster', {
      name: key,
      type: 'STATIC',
      connect_timeout: '1s',
      lb_policy: 'ROUND_ROBIN',
      load_assignment: {
        cluster_name: key,
        endpoints: [{ lb_endpoints: route.backends.map((backend) => ({ endpoint: socketAddress(backend) })) }],
      },
    }),
  );

const tcpProxy = (key: string): Resource => ({
  name: 'envoy.filters.network.tcp_proxy',
  typed_config: typed('extensions.filters.network.tcp_proxy.v3.TcpProxy', {
    stat_prefix: 'ingress_tcp',
    cluster: key,
    // KKP tries once and loses the connection.
    max_connect_attempts: 3,
  }),
});

const listenerOf = (name: string, address: string, port: number, more: Resource): Resource =>
  typed('config.listener.v3.Listener', {
    name: `${name} ${address}`,
    address: { socket_address: { address, port_value: port } },
    ...more,
  });

const tlsInspector = {
  name: 'envoy.filters.listener.tls_inspector',
  typed_config: typed('extensions.filters.listener.tls_inspector.v3.TlsInspector'),
};

const sniChains = (snapshot: Snapshot): Resource[] =>
  routesOf(snapshot).flatMap(({ key, route }) =>
    route.sni === undefined
      ? []
      : [{ name: key, filter_chain_match: { server_names: [route.sni] }, filters: [tcpProxy(key)] }],
  );

const connectHosts = (snapshot: Snapshot): Resource[] =>
  routesOf(snapshot).flatMap(({ key, route }) =>
    route.authority === undefined
      ? []
      : [
          {
            name: key,
            domains: [route.authority],
            routes: [{ match: { connect_matcher: {} }, route: { cluster: key, upgrade_configs: [connectUpgrade] } }],
          },
        ],
  );

const connectUpgrade = { upgrade_type: 'CONNECT', connect_config: {} };

const connectChain = (snapshot: Snapshot): Resource => ({
  filters: [
    {
      name: 'envoy.filters.network.http_connection_manager',
      typed_config: typed('extensions.filters.network.http_connection_manager.v3.HttpConnectionManager', {
        stat_prefix: 'ingress_http',
        codec_type: 'HTTP2',
        http2_protocol_options: { allow_connect: true },
        upgrade_configs: [{ upgrade_type: 'CONNECT' }],
        route_config: { name: 'tunnel', virtual_hosts: connectHosts(snapshot) },
        http_filters: [
          { name: 'envoy.filters.http.router', typed_config: typed('extensions.filters.http.router.v3.Router') },
        ],
      }),
    },
  ],
});

export function envoyListeners(snapshot: Snapshot, addresses: readonly string[]): Resource[] {
  const { sni, tunnel } = snapshot.listeners;
  const chains = sniChains(snapshot);
  return addresses.flatMap((address) => [
    ...(sni === undefined || chains.length === 0
      ? []
      : [listenerOf('sni', address, sni, { listener_filters: [tlsInspector], filter_chains: chains })]),
    ...(tunnel === undefined
      ? []
      : [listenerOf('tunnel', address, tunnel, { filter_chains: [connectChain(snapshot)] })]),
    ...nodePortListeners(snapshot, address),
  ]);
}

const nodePortListeners = (snapshot: Snapshot, address: string): Resource[] =>
  routesOf(snapshot).flatMap(({ key, route }) =>
    route.nodePort === undefined
      ? []
      : [
          listenerOf(`nodePort ${route.nodePort}`, address, route.nodePort, {
            filter_chains: [{ filters: [tcpProxy(key)] }],
          }),
        ],
  );

/** Listeners and clusters come from files beside it, which Envoy reads again when they are moved into place. */
export const envoyBootstrap = (directory: string, adminPath: string): Resource => ({
  node: { id: 'gateway', cluster: 'gateway' },
  admin: { address: { pipe: { path: adminPath } } },
  dynamic_resources: {
    lds_config: fromFile(`${directory}/listeners.json`),
    cds_config: fromFile(`${directory}/clusters.json`),
  },
});

const fromFile = (path: string): Resource => ({ resource_api_version: 'V3', path_config_source: { path } });

export const discovery = (version: string, resources: readonly Resource[]): string =>
  JSON.stringify({ version_info: version, resources });
