// The two that keep a connection to the seed: konnectivity for the way from the API server to the worker, the node agent
// for the way of pods to the API server.

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ComponentSpec } from '../../../../control-plane/component.ts';
import { agentFlags } from '../../../../control-plane/components/konnectivity.ts';
import { realNodeName } from '../../../../control-plane/own-nodes.ts';
import { hostPort } from '../../../../net/host-port.ts';
import { clusterCaFile } from './kubelet.ts';
import { onWorkerSpec, tokenFile, type WorkerParts } from './parts.ts';

export function konnectivityAgent(parts: WorkerParts): ComponentSpec {
  const { layout, input, secrets, programs } = parts;
  const token = path.join(layout.root, 'konnectivity.token');
  const { host, port } = input.endpoint.konnectivity;
  return onWorkerSpec(parts, {
    name: 'konnectivity-agent',
    // After the first signal it goes on for as long as it is let.
    stopMs: 1_000,
    health: { port: 8_134, path: '/readyz' },
    command: [
      programs['konnectivity-agent'],
      ...[`--proxy-server-host=${host}`, `--proxy-server-port=${port}`, `--ca-cert=${clusterCaFile(layout.root)}`],
      ...[`--service-account-token-path=${token}`, `--agent-id=${realNodeName(input.cluster)}`],
      ...agentFlags(input.konnectivity.agent),
      ...['--admin-server-port=8133', '--health-server-port=8134', '--health-server-host=127.0.0.1'],
      '--logtostderr=true',
    ],
    files: [{ path: clusterCaFile(layout.root), text: secrets.ca }, tokenFile(token, secrets.konnectivityToken)],
  });
}

const adminPort = 9903;
const causeway = fileURLToPath(new URL('../../../../cli/main.ts', import.meta.url));

/** Only where the strategy has a tunnel: otherwise pods dial the gateway themselves. */
export function nodeAgent(parts: WorkerParts): ComponentSpec[] {
  const { layout, input, secrets } = parts;
  const { tunnel, kubernetesService } = input.endpoint;
  if (tunnel === undefined) return [];
  const at = (name: string): string => path.join(layout.root, name);
  const spec = onWorkerSpec(parts, {
    name: 'node-agent',
    health: { port: adminPort, path: '/readyz' },
    command: [
      ...[process.execPath, causeway, 'agent', '--cluster', input.cluster],
      ...['--gateway', hostPort(tunnel.host, tunnel.port), '--authority', tunnel.authority],
      ...['--listen', hostPort(tunnel.agentIP, kubernetesService.port ?? 6443)],
      ...['--ca', at('gateway-ca.crt'), '--token-file', at('gateway.token')],
      ...['--admin', `127.0.0.1:${adminPort}`, '--grace', '1s'],
    ],
    files: [
      { path: at('gateway-ca.crt'), text: secrets.gatewayCa },
      tokenFile(at('gateway.token'), secrets.tunnelToken),
    ],
  });
  return [spec];
}
