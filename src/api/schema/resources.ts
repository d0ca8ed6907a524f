// The manifests, document by document.
import { z } from '@hono/zod-openapi';
import { kinds } from '../../model/schema/index.ts';
import * as parts from '../../plan/schema/parts.ts';
import { clusterName, finding, list } from './common.ts';
import { certificateRow, dnsRow, flowRow } from './network.ts';

export const resource = z
  .looseObject({
    apiVersion: z.string().max(100).describe('Version of the format.'),
    kind: z.string().max(100).describe('Kind of the document.'),
    metadata: z.looseObject({ name: z.string().max(253).describe('Name, unique for its kind.') }),
    spec: z.looseObject({}).describe('See docs/reference: each kind has a page and a JSON Schema.'),
  })
  .openapi('Resource');
export type ResourceBody = z.infer<typeof resource>;

export const resourceItem = z
  .object({
    resource: resource,
    etag: z.string().describe('Changes with the text of the document; send it back as If-Match.'),
    file: z.string().describe('File that it is written in.'),
    line: z.number().describe('Line at which it begins.'),
    findings: z.number().describe('Findings about it.'),
  })
  .openapi('ResourceItem');
export type ResourceItem = z.infer<typeof resourceItem>;

export const kindParams = z.object({ kind: z.enum(kinds).describe('Kind of the document.') });
export const resourceParams = kindParams.extend({ name: clusterName.describe('Name of the document.') });

const truth = z.enum(['true', 'false']);
export const writeQuery = z.object({
  dryRun: truth.optional().describe('true: tell what would happen, and write nothing.'),
});
export const ifMatch = z.object({
  'if-match': z
    .string()
    .max(100)
    .optional()
    .describe('The etag that was read; * for any. Needed to change or delete what exists.'),
});

export const putConditions = ifMatch.extend({
  'if-none-match': z
    .literal('*')
    .optional()
    .describe('Create only: refused with 412 where there is one of this name already.'),
});

const request = z.object({
  key: z.string().describe('Identity of what is asked for.'),
  text: z.string().describe('What is asked for.'),
  reason: z.string().describe('Why.'),
});

export const dryRun = z
  .object({
    allowed: z.boolean().describe('False: it would be refused, because of the errors.'),
    errors: list(finding).describe('Why it would be refused: errors of the document, and new ones anywhere else.'),
    findings: list(finding).describe('Of the whole platform, with the change.'),
    diff: list(
      z.object({
        team: z.enum(['firewall', 'dns', 'certificates', 'allow-list', 'addresses']).describe('Whom to ask.'),
        ask: list(request).describe('What to ask for.'),
        close: list(request).describe('What may be closed.'),
      }),
    ).describe('What changes for the teams that own firewall, DNS, certificates, proxy and addresses.'),
    needs: z
      .object({
        flows: list(flowRow),
        dns: list(dnsRow),
        certificates: list(certificateRow),
        addresses: list(
          z.object({
            pool: z.string().describe('AddressPool, or node ports of the seed.'),
            addresses: list(z.string()).describe('Addresses or ports.'),
            locked: z.boolean().describe('False: a proposal.'),
          }),
        ),
      })
      .describe('What the document needs in all, where it is a Cluster.'),
    endpoint: parts.endpoint.optional().describe('How the cluster would be reached.'),
  })
  .openapi('DryRun');
export type DryRun = z.infer<typeof dryRun>;

export const putAnswer = z.union([resourceItem, dryRun]).openapi('PutAnswer');
