// How the parts of the plan are told apart, searched and filtered.
import type { Finding } from '../../model/finding.ts';
import { isAt } from '../../plan/places/is-at.ts';
import type { Certificate, DnsRecord, EgressEntry, Flow } from '../../plan/schema/index.ts';
import type { FlowQuery, ProxyRow } from '../schema/network.ts';
import { flowId, hasPort } from './network.ts';
import type { Listed } from './paging.ts';

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
