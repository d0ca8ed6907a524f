// The plan's parts, as the pages about the network list them.

import { z } from '@hono/zod-openapi';
import * as parts from '../../plan/schema/parts.ts';
import { finding, list, pageOf, pageQuery, paging, search, texts } from './common.ts';

const shortened = {
  clusters: texts.describe('Clusters that need it, the first 20. Empty: the platform itself needs it.'),
  clusterCount: z.number().describe('How many clusters need it.'),
};

export const flowRow = parts.flow
  .extend({
    ...shortened,
    id: z.string().describe('Stable for as long as the flow is the same.'),
    fromTitle: z.string().describe('What to call the source in front of people.'),
    toTitle: z.string().describe('What to call the destination.'),
    source: texts.describe('Addresses and names of the source. Empty: not known yet, or any.'),
    destination: texts.describe('Addresses and names of the destination.'),
    openedBy: z.string().optional().describe('Who changes the firewall, as the Platform says.'),
  })
  .openapi('Flow');
export type FlowRow = z.infer<typeof flowRow>;

export const flowQuery = z.object({
  ...search,
  ...paging,
  from: z.string().max(200).optional().describe('Only from this place, or from places below it (seed/west).'),
  to: z.string().max(200).optional().describe('Only to this place, or to places below it.'),
  cluster: z.string().max(63).optional().describe('Only what this cluster needs.'),
  port: z.coerce.number().int().min(1).max(65535).optional().describe('Only what uses this port.'),
});
export type FlowQuery = z.infer<typeof flowQuery>;

export const dnsRow = parts.dnsRecord.extend(shortened).openapi('DnsRecord');
export type DnsRow = z.infer<typeof dnsRow>;
export const certificateRow = parts.certificate
  .extend({
    ...shortened,
    notAfter: z.number().optional().describe('When it ends, in milliseconds since 1970; where the platform serves it.'),
  })
  .openapi('Certificate');
export type CertificateRow = z.infer<typeof certificateRow>;
// A copy: schemas that were made before this library was loaded do not have its methods.
export const addressPlan = parts.addresses.clone().openapi('Addresses');
export type AddressPlan = z.infer<typeof addressPlan>;
export const egressRow = parts.egressEntry.extend(shortened).openapi('EgressEntry');
export type EgressRow = z.infer<typeof egressRow>;
export const proxyRow = parts.placeProxy
  .extend({ place: z.string().describe('Whose it is, as in datacenter/plant/nodes or cluster/shop/pods.') })
  .openapi('Proxy');
export type ProxyRow = z.infer<typeof proxyRow>;
export const proxies = pageOf(proxyRow)
  .extend({ modes: parts.egress.shape.modes.describe('How each network gets out.') })
  .openapi('ProxyPage');
export type Proxies = z.infer<typeof proxies>;

export const findingQuery = pageQuery.extend({
  severity: finding.shape.severity.optional().describe('Only errors, or only warnings.'),
});

// What is rendered from the plan for others, ready to download.

export const artefact = z
  .object({
    name: z.string().describe('As causeway render --only takes it.'),
    title: z.string().describe('What it is.'),
    files: list(
      z.object({
        path: z.string().describe('File name, with directories.'),
        bytes: z.number().describe('Size.'),
        url: z.string().describe('Where to download it.'),
      }),
    ),
  })
  .openapi('Artefact');
export const artefacts = z.object({ items: list(artefact) }).openapi('Artefacts');
export type Artefacts = z.infer<typeof artefacts>;
