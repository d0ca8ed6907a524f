// The plan's parts, as the pages about the network list them.
import { z } from '@hono/zod-openapi';
import * as parts from '../../plan/schema/parts.ts';
import { paging, search, texts } from './common.ts';

export const flowRow = parts.flow
  .extend({
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

export const dnsRow = parts.dnsRecord.openapi('DnsRecord');
export type DnsRow = z.infer<typeof dnsRow>;
export const certificateRow = parts.certificate.openapi('Certificate');
export type CertificateRow = z.infer<typeof certificateRow>;
export const addressPlan = parts.addresses.openapi('Addresses');
export type AddressPlan = z.infer<typeof addressPlan>;
export const egressRow = parts.egressEntry.openapi('EgressEntry');
export type EgressRow = z.infer<typeof egressRow>;
export const proxyPlan = parts.proxy.extend({ modes: parts.egress.shape.modes }).openapi('Proxy');
export type ProxyView = z.infer<typeof proxyPlan>;
