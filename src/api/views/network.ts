// The plan's parts as rows of tables: with titles and addresses of places, and without endless lists of clusters.

import { hash } from 'node:crypto';
import { memo } from '../../core/memo.ts';
import type { Finding } from '../../model/index.ts';
import type { Model } from '../../model/schema/index.ts';
import { isAt } from '../../plan/index.ts';
import type { Certificate, DnsRecord, EgressEntry, Flow, Plan, ProxyPlan } from '../../plan/schema/index.ts';
import { placeOf, whereOf } from '../../render/index.ts';
import type { CertificateRow, DnsRow, EgressRow, FlowQuery, FlowRow, ProxyRow } from '../schema/network.ts';
import type { Listed } from './paging.ts';

/** More clusters than this are a number. */
const shownClusters = 20;

const shortened = <Row extends { clusters: string[] }>(row: Row): Row & { clusterCount: number } => ({
  ...row,
  clusters: row.clusters.length <= shownClusters ? row.clusters : row.clusters.slice(0, shownClusters),
  clusterCount: row.clusters.length,
});

export const dnsRowOf = (record: DnsRecord): DnsRow => shortened(record);
export const certificateRowOf = (certificate: Certificate): CertificateRow => shortened(certificate);
export const proxyRowsOf = memo((places: ProxyPlan['places']): readonly ProxyRow[] =>
  Object.entries(places).map(([place, proxy]) => ({ place, ...proxy })),
);
export const egressRowOf = (entry: EgressEntry): EgressRow => shortened(entry);

export function flowRowOf(plan: Plan, flow: Flow): FlowRow {
  const [from, to] = [placeOf(plan, flow.from), placeOf(plan, flow.to)];
  return {
    ...shortened(flow),
    id: flowId(flow),
    fromTitle: from.title,
    toTitle: to.title,
    source: whereOf(from),
    destination: whereOf(to),
  };
}

export const flowId = memo(({ from, to, protocol, ports, requirement, reason }: Flow): string =>
  hash('sha256', [from, to, protocol, ports.join(), requirement, reason].join('\n')).slice(0, 16),
);

/** Who changes the firewall, as the Platform says. */
export const openedBy = (model: Model | undefined): { openedBy?: string } => {
  const contact = model?.platform.spec.access?.contact;
  return contact === undefined ? {} : { openedBy: contact };
};

export function hasPort({ ports }: Pick<Flow, 'ports'>, wanted: number): boolean {
  if (ports.length === 0) return true;
  return ports.some((port) => {
    if (typeof port === 'number') return port === wanted;
    const [first = 0, last = first] = port.split('-').map(Number);
    return first <= wanted && wanted <= last;
  });
}

// How the parts of the plan are told apart, searched and filtered.

export const flows = (items: readonly Flow[], query: FlowQuery): Listed<Flow> => ({
  items,
  keyOf: flowId,
  textOf: flowText,
  isWanted: (flow) => fits(flow, query),
});
export const dns = (items: readonly DnsRecord[]): Listed<DnsRecord> => ({
  items,
  keyOf: ({ name }) => name,
  textOf: dnsText,
});
export const certificates = (items: readonly Certificate[]): Listed<Certificate> => ({
  items,
  keyOf: ({ name }) => name,
  textOf: certificateText,
});
export const egress = (items: readonly EgressEntry[]): Listed<EgressEntry> => ({
  items,
  keyOf: egressKey,
  textOf: egressText,
});
export const proxies = (items: readonly ProxyRow[]): Listed<ProxyRow> => ({
  items,
  keyOf: ({ place }) => place,
  textOf: proxyText,
});
export const findings = (items: readonly Finding[], severity: Finding['severity'] | undefined): Listed<Finding> => ({
  items,
  keyOf: findingKey,
  textOf: findingText,
  isWanted: (finding) => severity === undefined || finding.severity === severity,
});

function fits(flow: Flow, { from, to, cluster, port }: FlowQuery): boolean {
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
