// The plan, whole and part by part, and what is rendered from it.
import type { Finding } from '../../model/finding.ts';
import { isAt } from '../../plan/places/is-at.ts';
import type { Certificate, DnsRecord, EgressEntry, Flow, Plan } from '../../plan/schema/index.ts';
import { planSchema } from '../../plan/schema/index.ts';
import { type ApiContext, type ApiRoutes, newRoutes, reading } from '../context.ts';
import { ApiError } from '../problems.ts';
import { finding, pageOf, pageQuery } from '../schema/common.ts';
import type { ProxyRow } from '../schema/network.ts';
import * as schema from '../schema/network.ts';
import { jsonStream } from '../stream/json-stream.ts';
import { shownFinding } from '../views/findings.ts';
import {
  certificateRowOf,
  dnsRowOf,
  egressRowOf,
  flowId,
  flowRowOf,
  hasPort,
  openedBy,
  proxyRowsOf,
} from '../views/network.ts';
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
    .openapi(planRoute, () => jsonStream(plan()) as never)
    .openapi(flowsRoute, (c) => {
      const { plan: now, model } = platform.view();
      const known = planned(now);
      const query = c.req.valid('query');
      const listed = {
        items: known.flows,
        keyOf: flowId,
        textOf: flowText,
        isWanted: (flow: Flow) => fits(flow, query),
      };
      const page = pageOfItems(listed, query);
      const items = page.items.map((flow) => ({ ...flowRowOf(known, flow), ...openedBy(model) }));
      return c.json({ ...page, items }, 200);
    })
    .openapi(dnsRoute, (c) => {
      const listed = { items: plan().dns.records, keyOf: ({ name }: DnsRecord) => name, textOf: dnsText };
      const page = pageOfItems(listed, c.req.valid('query'));
      return c.json({ ...page, items: page.items.map(dnsRowOf) }, 200);
    })
    .openapi(certificatesRoute, (c) => {
      const listed = { items: plan().certificates, keyOf: ({ name }: Certificate) => name, textOf: certificateText };
      const page = pageOfItems(listed, c.req.valid('query'));
      const items = page.items.map((row) => ({
        ...certificateRowOf(row),
        notAfter: platform.certificateEnd(row.name),
      }));
      return c.json({ ...page, items }, 200);
    })
    .openapi(addressesRoute, () => jsonStream(plan().addresses) as never)
    .openapi(egressRoute, (c) => {
      const listed = { items: plan().egress.entries, keyOf: egressKey, textOf: egressText };
      const page = pageOfItems(listed, c.req.valid('query'));
      return c.json({ ...page, items: page.items.map(egressRowOf) }, 200);
    })
    .openapi(proxyRoute, (c) => {
      const { proxy, egress } = plan();
      const listed = { items: proxyRowsOf(proxy.places), keyOf: ({ place }: ProxyRow) => place, textOf: proxyText };
      return c.json({ ...pageOfItems(listed, c.req.valid('query')), modes: egress.modes }, 200);
    })
    .openapi(findingsRoute, (c) => {
      const query = c.req.valid('query');
      const isWanted = ({ severity }: Finding): boolean => query.severity === undefined || query.severity === severity;
      const listed = { items: platform.view().findings, keyOf: findingKey, textOf: findingText, isWanted };
      const page = pageOfItems(listed, query);
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

function fits(flow: Flow, { from, to, cluster, port }: schema.FlowQuery): boolean {
  return (
    (from === undefined || isAt(flow.from, from)) &&
    (to === undefined || isAt(flow.to, to)) &&
    (cluster === undefined || flow.clusters.includes(cluster)) &&
    (port === undefined || hasPort(flow, port))
  );
}

const flowText = ({ from, to, protocol, ports, reason, requirement, clusters }: Flow): string =>
  [from, to, protocol, ...ports, reason, requirement, ...clusters].join(' ');
const dnsText = ({ name, place, addresses, hostname = '', reason, requirement }: DnsRecord): string =>
  [name, place, ...addresses, hostname, reason, requirement].join(' ');
const certificateText = ({ name, issuedBy, dnsNames, ips, place, requirement }: Certificate): string =>
  [name, issuedBy, ...dnsNames, ...ips, place, requirement].join(' ');
const egressKey = ({ host, component, from, status }: EgressEntry): string => [host, component, status, ...from].join();
const egressText = ({ host, ports, component, from, reason, requirement, images, status }: EgressEntry): string =>
  [host, ...ports, component, ...from, reason, requirement, ...images, status].join(' ');
const proxyText = ({ place, http = '', https = '', from, noProxy }: ProxyRow): string =>
  [place, http, https, from, ...noProxy].join(' ');
const findingKey = ({ code, resource = '', path = [], message }: Finding): string =>
  [code, resource, ...path, message].join(' ').slice(0, 150);
const findingText = ({ code, severity, resource = '', message, fix, position }: Finding): string =>
  [code, severity, resource, message, fix, position?.file ?? ''].join(' ');
