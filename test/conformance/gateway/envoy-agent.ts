// Envoy as KKP's envoy-agent: takes connections on an address of the node and carries each in an HTTP/2 CONNECT.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Running, run } from '../../support/child-process.ts';
import { accepts } from '../../support/gateway/clients.ts';
import { freePort } from '../../support/gateway/ports.ts';
import type { Undo } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';

const typed = (name: string, fields: object = {}): object => ({
  '@type': `type.googleapis.com/envoy.${name}`,
  ...fields,
});

export interface EnvoyAgentOptions {
  readonly program: string;
  readonly gateway: { readonly host: string; readonly port: number };
  readonly authority: string;
}

export async function startEnvoyAgent(t: Undo, options: EnvoyAgentOptions): Promise<{ port: number; agent: Running }> {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-envoy-agent-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const port = await freePort();
  const file = path.join(directory, 'envoy.json');
  writeFileSync(file, JSON.stringify(bootstrap(options, port)));
  const args = ['-c', file, '--concurrency', '1', '--disable-hot-restart', '-l', 'error'];
  const agent = run(t, { program: options.program, args });
  await until(() => accepts({ host: '127.0.0.1', port }));
  return { port, agent };
}

const bootstrap = ({ gateway, authority }: EnvoyAgentOptions, port: number): object => ({
  static_resources: {
    listeners: [
      {
        name: 'apiserver',
        address: { socket_address: { address: '127.0.0.1', port_value: port } },
        filter_chains: [
          {
            filters: [
              {
                name: 'envoy.filters.network.tcp_proxy',
                typed_config: typed('extensions.filters.network.tcp_proxy.v3.TcpProxy', {
                  stat_prefix: 'apiserver',
                  cluster: 'gateway',
                  tunneling_config: { hostname: authority },
                }),
              },
            ],
          },
        ],
      },
    ],
    clusters: [
      {
        name: 'gateway',
        type: 'LOGICAL_DNS',
        connect_timeout: '5s',
        typed_extension_protocol_options: { 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': overHttp2 },
        load_assignment: { cluster_name: 'gateway', endpoints: [{ lb_endpoints: [endpointOf(gateway)] }] },
      },
    ],
  },
});

const overHttp2 = typed('extensions.upstreams.http.v3.HttpProtocolOptions', {
  explicit_http_config: {
    http2_protocol_options: { connection_keepalive: { interval: '30s', timeout: '5s' } },
  },
});

const endpointOf = ({ host, port }: EnvoyAgentOptions['gateway']): object => ({
  endpoint: { address: { socket_address: { address: host, port_value: port } } },
});
