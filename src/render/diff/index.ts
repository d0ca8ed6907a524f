// What changed between two plans, as requests to the teams that own firewall, DNS, certificates and proxy.
import type { Certificate, DnsRecord, Plan } from '../../plan/schema/index.ts';
import { requestedCertificates } from '../certificates/requested.ts';
import { allowListAsks, allowListRemovals } from './allow-list.ts';
import { firewallRequests } from './firewall.ts';
import { newRequests, type Request } from './request.ts';

export type { Request } from './request.ts';
export interface TeamDiff {
  readonly team: 'firewall' | 'dns' | 'certificates' | 'allow-list' | 'addresses';
  readonly ask: readonly Request[];
  readonly close: readonly Request[];
}

export function diffPlans(before: Plan, after: Plan): TeamDiff[] {
  const compare = (team: TeamDiff['team'], requests: (plan: Plan) => Request[]): TeamDiff => {
    const [old, now] = [requests(before), requests(after)];
    return { team, ask: newRequests(now, old), close: newRequests(old, now) };
  };
  return [
    { team: 'firewall', ask: firewallRequests(after, before), close: firewallRequests(before, after) },
    compare('dns', dnsRequests),
    compare('certificates', certificateRequests),
    { team: 'allow-list', ask: allowListAsks(before, after), close: allowListRemovals(before, after) },
    compare('addresses', addressRequests),
  ];
}

const dnsRequests = (plan: Plan): Request[] => plan.dns.records.map(dnsRequest);
function dnsRequest(record: DnsRecord): Request {
  const target =
    record.hostname ??
    (record.addresses.length > 0 ? record.addresses.join(', ') : `address of ${record.place}, once it exists`);
  const text = `${record.name} → ${target}`;
  return { key: text, text, reason: `${record.reason} [${record.requirement}]` };
}

const certificateRequests = (plan: Plan): Request[] => requestedCertificates(plan).map(certificateRequest);
function certificateRequest(certificate: Certificate): Request {
  const text = `${certificate.name}: ${[...certificate.dnsNames, ...certificate.ips].join(', ')}`;
  return { key: text, text, reason: `${certificate.issuedBy} [${certificate.requirement}]` };
}

function addressRequests(plan: Plan): Request[] {
  return plan.addresses.pools.flatMap((pool) =>
    pool.allocations.map((allocation) => {
      const text = `${allocation.addresses.join(', ')} of ${pool.pool} for ${allocation.for}`;
      return { key: text, text, reason: pool.needs.find((need) => need.for === allocation.for)?.reason ?? '' };
    }),
  );
}
