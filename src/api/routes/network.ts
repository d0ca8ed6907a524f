// The plan, whole and part by part, and what is rendered from it.
import { planDocument } from '../../plan/index.ts';
import { type Plan, planSchema } from '../../plan/schema/index.ts';
import { type ApiContext, type ApiRoutes, newRoutes, reading } from '../context.ts';
import { jsonStream } from '../json-stream.ts';
import { ApiError } from '../problems.ts';
import { finding, pageOf, pageQuery } from '../schema/common.ts';
import * as schema from '../schema/network.ts';
import { shownFinding } from '../views/documents.ts';
import * as lists from '../views/network.ts';
import { certificateRowOf, dnsRowOf, egressRowOf, flowRowOf, openedBy, proxyRowsOf } from '../views/network.ts';
import { pageOfItems } from '../views/paging.ts';

const tag = 'network';

const planRoute = reading({
  tag,
  path: '/plan',
  summary: 'The whole plan, as causeway plan -o json prints it.',
  answer: planSchema.clone().openapi('Plan'),
});
const flowsRoute = reading({
  tag,
  path: '/flows',
  summary: 'Connections that firewalls must allow.',
  answer: pageOf(schema.flowRow).openapi('FlowPage'),
  request: { query: schema.flowQuery },
});
const dnsRoute = reading({
  tag,
  path: '/dns',
  summary: 'Names that must exist.',
  answer: pageOf(schema.dnsRow).openapi('DnsPage'),
  request: { query: pageQuery },
});
const certificatesRoute = reading({
  tag,
  path: '/certificates',
  summary: 'Certificates that are needed.',
  answer: pageOf(schema.certificateRow).openapi('CertificatePage'),
  request: { query: pageQuery },
});
const addressesRoute = reading({
  tag,
  path: '/addresses',
  summary: 'Pools and node ports: what is needed, and what was chosen.',
  answer: schema.addressPlan,
});
const egressRoute = reading({
  tag,
  path: '/egress',
  summary: 'The allow-list.',
  answer: pageOf(schema.egressRow).openapi('EgressPage'),
  request: { query: pageQuery },
});
const proxyRoute = reading({
  tag,
  path: '/proxy',
  summary: 'Who uses which proxy, and what bypasses it.',
  answer: schema.proxies,
  request: { query: pageQuery },
});
const findingsRoute = reading({
  tag,
  path: '/findings',
  summary: 'What is wrong with the manifests as they are now.',
  answer: pageOf(finding).openapi('FindingPage'),
  request: { query: schema.findingQuery },
});

export function networkRoutes({ platform }: ApiContext): ApiRoutes {
  const plan = (): Plan => planned(platform.view().plan);
  return newRoutes()
    .openapi(planRoute, () => jsonStream(planDocument(plan())) as never)
    .openapi(flowsRoute, (c) => {
      const { plan: now, model } = platform.view();
      const known = planned(now);
      const query = c.req.valid('query');
      const page = pageOfItems(lists.flows(known.flows, query), query);
      const items = page.items.map((flow) => ({ ...flowRowOf(known, flow), ...openedBy(model) }));
      return c.json({ ...page, items }, 200);
    })
    .openapi(dnsRoute, (c) => {
      const page = pageOfItems(lists.dns(plan().dns.records), c.req.valid('query'));
      return c.json({ ...page, items: page.items.map(dnsRowOf) }, 200);
    })
    .openapi(certificatesRoute, (c) => {
      const page = pageOfItems(lists.certificates(plan().certificates), c.req.valid('query'));
      const items = page.items.map((row) => ({
        ...certificateRowOf(row),
        notAfter: platform.certificateEnd(row.name),
      }));
      return c.json({ ...page, items }, 200);
    })
    .openapi(addressesRoute, () => jsonStream(plan().addresses) as never)
    .openapi(egressRoute, (c) => {
      const page = pageOfItems(lists.egress(plan().egress.entries), c.req.valid('query'));
      return c.json({ ...page, items: page.items.map(egressRowOf) }, 200);
    })
    .openapi(proxyRoute, (c) => {
      const { proxy, egress } = plan();
      const page = pageOfItems(lists.proxies(proxyRowsOf(proxy.places)), c.req.valid('query'));
      return c.json({ ...page, modes: egress.modes }, 200);
    })
    .openapi(findingsRoute, (c) => {
      const query = c.req.valid('query');
      const page = pageOfItems(lists.findings(platform.view().findings, query.severity), query);
      return c.json({ ...page, items: page.items.map(shownFinding) }, 200);
    });
}

/** A plan that is there, or why not. */
export function planned<Known>(plan: Known | undefined): Known {
  if (plan !== undefined) return plan;
  throw new ApiError(
    409,
    'CW-API-NO-PLAN',
    'the manifests could not be planned yet',
    'GET /api/v1/findings says what is wrong with them',
  );
}
