import { z } from 'zod';
import { forAdmins } from './access.ts';
import { oneOf } from './blocks.ts';
import * as s from './scalars.ts';

const owner = 'the owner of the pool';
export const addressPoolSpec = oneOf(
  {
    seed: s.name.optional().describe('Seed whose ingress, gateway and per-cluster load balancers draw from it.'),
    datacenter: s.name.optional().describe('Datacenter whose clusters draw application addresses from it.'),
    ranges: forAdmins(z.array(s.addressRange).min(1)).describe(
      'Networks (10.0.0.0/24) or ranges (10.0.0.10-10.0.0.20).',
    ),
    exclude: z.array(s.addressRange).optional().describe('Addresses of those ranges that must not be used.'),
    allocation: oneOf(
      {
        count: z.int().min(1).max(4096).optional().describe('So many single addresses for each user of the pool.'),
        prefix: z.int().min(8).max(128).optional().describe('One network of this length for each user of the pool.'),
      },
      ['count', 'prefix'],
      'the allocation',
    )
      .optional()
      .describe('What each user of the pool gets. Default one address.'),
  },
  ['seed', 'datacenter'],
  owner,
);
