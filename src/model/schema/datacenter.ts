import { z } from 'zod';
import { loadBalancer, nodeNetwork } from './blocks.ts';
import { inherited } from './inherited.ts';
import { provider, tenant } from './providers.ts';
import * as s from './scalars.ts';

export const datacenterSpec = z.strictObject({
  seed: s.name.describe('Seed that hosts the control planes of the clusters here.'),
  provider: provider.describe('Infrastructure of the workers.'),
  nodes: nodeNetwork.describe('Network of the workers.'),
  integration: z
    .enum(['I', 'II'])
    .optional()
    .describe('I: only workers here, the seed is elsewhere. II: the seed stands here too, and traffic stays inside.'),
  ...inherited,
  loadBalancer: loadBalancer.optional().describe('Load balancing for applications.'),
  tenants: z.array(tenant).optional().describe('Tenants with their own network and user.'),
});
