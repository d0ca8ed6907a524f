// What was chosen once and must never move: kept in causeway.lock.yaml beside the manifests.
import { z } from 'zod';
import { apiVersion } from './schema/index.ts';
import { addressRange, port } from './schema/scalars.ts';

export const lockFile = 'causeway.lock.yaml';

export const lockSchema = z.strictObject({
  apiVersion: z.literal(apiVersion).describe('Version of the format.'),
  kind: z.literal('Lock').describe('Kind of the document.'),
  pools: z
    .record(z.string(), z.record(z.string(), z.array(addressRange)))
    .describe('Per pool and user (ingress, gateway, cluster/NAME): its addresses or networks.'),
  nodePorts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.strictObject({
          apiServer: port.describe('Node port of the API server.'),
          konnectivity: port.describe('Node port of the konnectivity server.'),
        }),
      ),
    )
    .describe('Per seed and cluster.'),
});

export type Allocations = Pick<z.infer<typeof lockSchema>, 'pools' | 'nodePorts'>;
export const noAllocations: Allocations = { pools: {}, nodePorts: {} };
