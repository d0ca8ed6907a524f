// The plan's parts as rows of tables: with titles and addresses of places, and without endless lists of clusters.
import { hash } from 'node:crypto';
import { memo } from '../../core/memo.ts';
import type { Model } from '../../model/schema/index.ts';
import type { Certificate, DnsRecord, EgressEntry, Flow, Plan, ProxyPlan } from '../../plan/schema/index.ts';
import { placeOf, whereOf } from '../../render/firewall/rows.ts';
import type { CertificateRow, DnsRow, EgressRow, FlowRow, ProxyRow } from '../schema/network.ts';

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
