// What changed between two plans, as requests to the teams that own firewall, DNS, certificates and proxy.
import type { Certificate, DnsRecord, EgressEntry, Flow, Plan } from '../../plan/schema/index.ts';
import { placeOf, portsText, whereText } from '../firewall/rows.ts';

export interface Request {
  /** Stable identity of the thing, for pairing. */
  readonly key: string;
  readonly text: string;
  readonly reason: string;
}
export interface TeamDiff {
  readonly team: 'firewall' | 'dns' | 'certificates' | 'allow-list' | 'addresses';
  readonly ask: readonly Request[];
  readonly close: readonly Request[];
}

export function diffPlans(before: Plan, after: Plan): TeamDiff[] {
  const compare = (team: TeamDiff['team'], requests: (plan: Plan) => Request[]): TeamDiff => {
    const [old, now] = [requests(before), requests(after)];
    const [oldKeys, newKeys] = [keysOf(old), keysOf(now)];
    return { team, ask: now.filter((r) => !oldKeys.has(r.key)), close: old.filter((r) => !newKeys.has(r.key)) };
  };
  return [
    compare('firewall', firewallRequests),
    compare('dns', dnsRequests),
    compare('certificates', certificateRequests),
    compare('allow-list', allowListRequests),
    compare('addresses', addressRequests),
  ];
}

const keysOf = (requests: readonly Request[]): Set<string> => new Set(requests.map((request) => request.key));

/** A rule is its addresses: when a network moves, the old rule may be closed and a new one is needed. */
function firewallRequests(plan: Plan): Request[] {
  return plan.flows.filter(crossesFirewall).map((flow) => {
    const [source, destination] = [whereText(placeOf(plan, flow.from)), whereText(placeOf(plan, flow.to))];
    const text = `${flow.from} (${source}) → ${flow.to} (${destination}) ${flow.protocol} ${portsText(flow)}`;
    return { key: text, text, reason: `${flow.reason} [${flow.requirement}]` };
  });
}
const crossesFirewall = (flow: Flow): boolean => flow.from !== flow.to;

const dnsRequests = (plan: Plan): Request[] => plan.dns.records.map(dnsRequest);
function dnsRequest(record: DnsRecord): Request {
  const target =
    record.hostname ??
    (record.addresses.length > 0 ? record.addresses.join(', ') : `address of ${record.place}, once it exists`);
  const text = `${record.name} → ${target}`;
  return { key: text, text, reason: `${record.reason} [${record.requirement}]` };
}

/** Certificates of cluster CAs are issued by the platform itself; nobody is asked for them. */
const certificateRequests = (plan: Plan): Request[] =>
  plan.certificates.filter((c) => c.issuer !== 'cluster-ca').map(certificateRequest);
function certificateRequest(certificate: Certificate): Request {
  const text = `${certificate.name}: ${[...certificate.dnsNames, ...certificate.ips].join(', ')}`;
  return { key: text, text, reason: `${certificate.issuedBy} [${certificate.requirement}]` };
}

const allowListRequests = (plan: Plan): Request[] =>
  plan.egress.entries.filter((entry) => entry.status === 'active').flatMap(entryRequests);
const entryRequests = (entry: EgressEntry): Request[] =>
  entry.from.map((place) => {
    const text = `${place} → ${entry.host}:${entry.ports.join(',')}${entry.paths.length > 0 ? ` ${entry.paths.join(' ')}` : ''}`;
    return {
      key: `${text} ${entry.component}`,
      text,
      reason: `${entry.component}: ${entry.reason} [${entry.requirement}]`,
    };
  });

function addressRequests(plan: Plan): Request[] {
  return plan.addresses.pools.flatMap((pool) =>
    pool.allocations.map((allocation) => {
      const text = `${allocation.addresses.join(', ')} of ${pool.pool} for ${allocation.for}`;
      return { key: text, text, reason: pool.needs.find((need) => need.for === allocation.for)?.reason ?? '' };
    }),
  );
}
