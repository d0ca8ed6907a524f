// The two that keep a connection to the seed: konnectivity for the way from the API server to the worker, the node agent
// for the way of pods to the API server.

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentArguments } from '../../../../agent/index.ts';
import { type ComponentSpec, konnectivityAgentArgs, realNodeName } from '../../../../control-plane/index.ts';
import { hostPort } from '../../../../core/host-port.ts';
import type { Endpoint } from '../../../../plan/schema/index.ts';
import { clusterCaFile } from './kubelet.ts';
import { tokenFile, type WorkerParts, workerComponent } from './parts.ts';

export function konnectivityAgent(parts: WorkerParts): ComponentSpec {
  const { layout, input, secrets, programs } = parts;
  const token = path.join(layout.root, 'konnectivity.token');
  const { host, port } = input.endpoint.konnectivity;
  return workerComponent(parts, {
    name: 'konnectivity-agent',
    // After the first signal it goes on for as long as it is let.
    stopMs: 1_000,
    health: { port: 8_134, path: '/readyz' },
    command: [
      programs['konnectivity-agent'],
      ...konnectivityAgentArgs({
        ...{ serverHost: host, serverPort: port, caFile: clusterCaFile(layout.root), tokenFile: token },
        ...{ id: realNodeName(input.cluster), planned: input.konnectivity.agent },
        ...{ adminPort: 8_133, healthPort: 8_134, healthHost: '127.0.0.1' },
        flags: ['--logtostderr=true'],
      }),
    ],
    files: [{ path: clusterCaFile(layout.root), text: secrets.ca }, tokenFile(token, secrets.konnectivityToken)],
  });
}

/** Absent where the certificate has the name that is dialled. */
const ownName = ({ host, sni = host }: NonNullable<Endpoint['tunnel']>): { readonly name?: string } =>
  sni === host ? {} : { name: sni };

const causeway = fileURLToPath(new URL('../../../../cli/main.ts', import.meta.url));

/** Only where the strategy has a tunnel: otherwise pods dial the gateway themselves. */
export function nodeAgent(parts: WorkerParts): ComponentSpec[] {
  const { layout, input, secrets } = parts;
  const { tunnel, kubernetesService } = input.endpoint;
  if (tunnel === undefined) return [];
  const at = (name: string): string => path.join(layout.root, name);
  const admin = path.join(layout.run, 'agent.sock');
  const spec = workerComponent(parts, {
    name: 'node-agent',
    health: { socketPath: admin, path: '/readyz' },
    command: [
      ...[process.execPath, causeway, 'agent'],
      ...agentArguments({
        cluster: input.cluster,
        gateway: [hostPort(tunnel.host, tunnel.port)],
        authority: tunnel.authority,
        listen: hostPort(tunnel.agentIP, kubernetesService.port ?? 6443),
        ...(tunnel.tls ? { ...ownName(tunnel), ca: at('gateway-ca.crt') } : { plaintext: true }),
        ...(tunnel.authentication === 'token' && { tokenFile: at('gateway.token') }),
        ...{ admin: `unix:${admin}`, grace: '1s' },
      }),
    ],
    files: [
      { path: at('gateway-ca.crt'), text: secrets.gatewayCa },
      tokenFile(at('gateway.token'), secrets.tunnelToken),
    ],
  });
  return [spec];
}
