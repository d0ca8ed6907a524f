// What a machine needs to become a worker. It holds secrets.
import { z } from '@hono/zod-openapi';
import * as parts from '../../plan/schema/parts.ts';
import { duration, list, texts } from './common.ts';

export const joinWish = z
  .strictObject({
    ttl: duration.default('24h').describe('For how long its token is good, as in 1h.'),
  })
  .openapi('JoinWish');

const tunnel = z.object({
  gateway: z.string().describe('host:port that the node agent dials.'),
  name: z.string().optional().describe('Name in its certificate; absent: without TLS.'),
  ca: z.string().optional().describe('PEM: who vouches for it.'),
  token: z.string().optional().describe('Token of the node agent.'),
  authority: z.string().describe('What the agent asks the gateway for.'),
  byProxy: z.boolean().describe('Goes through the machine’s proxy.'),
  listen: z.string().describe('address:port where pods connect to.'),
});

export const joining = z
  .object({
    cluster: z.string().describe('Cluster.'),
    kubernetesVersion: z.string().describe('Version of its control plane, and of the kubelet at most.'),
    apiServer: z.string().describe('host:port that the kubelet dials.'),
    ca: z.string().describe('PEM: whom to believe that it is the API server.'),
    caHash: z.string().describe('The same as kubeadm wants it, sha256:… of its public key.'),
    token: z.string().describe('Bootstrap token of kubeadm’s kind.'),
    expiresAt: z.number().describe('When it ends, in milliseconds since 1970.'),
    dns: z.object({ servers: texts.describe('Name servers of pods.'), domain: z.string().describe('Their domain.') }),
    tunnel: tunnel.optional().describe('How pods reach the API server (Tunneling).'),
    proxy: z
      .object({
        url: z.string().describe('Proxy, with its credentials.'),
        noProxy: texts.describe('What bypasses it.'),
      })
      .optional()
      .describe('Proxy that the machine goes through.'),
    names: list(
      z.object({ name: z.string().describe('Name.'), addresses: texts.describe('Where it leads to.') }),
    ).describe('Names that the machine must know.'),
    flows: list(parts.flow).describe('What firewalls must let through.'),
    warnings: texts.describe('What will keep it from working.'),
  })
  .openapi('Joining');
export type Joining = z.infer<typeof joining>;
