// Records of the plan as resource records of DNS.
import { parseAddress } from '../../core/ip.ts';
import { isWithin } from '../../core/names.ts';
import type { DnsRecord, Plan } from '../../plan/schema/index.ts';

export interface ResourceRecord {
  readonly type: 'A' | 'AAAA' | 'CNAME';
  readonly targets: readonly string[];
}

/** What can be created now: nothing while the target is not known. */
export function resourceRecords(record: DnsRecord): ResourceRecord[] {
  if (record.phase === 'name') return [];
  if (record.hostname !== undefined) return [{ type: 'CNAME', targets: [record.hostname] }];
  const ofFamily = (family: number): string[] => record.addresses.filter((a) => parseAddress(a).family === family);
  const sets = [
    { type: 'A', targets: ofFamily(4) },
    { type: 'AAAA', targets: ofFamily(6) },
  ] as const;
  return sets.filter(({ targets }) => targets.length > 0);
}

const writable = /^(\*\.)?[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** Why a record cannot stand in the zone, or nothing. */
export function zoneProblem(plan: Plan, record: DnsRecord): string | undefined {
  const { zone } = plan.dns;
  if (!writable.test(record.name)) return 'is no name that DNS can hold';
  if (!isWithin(record.name.replace(/^\*\./, ''), zone)) return `lies outside of ${zone}`;
  if (record.hostname === undefined || record.phase === 'name') return undefined;
  if (!writable.test(record.hostname)) return 'has a target that DNS cannot hold';
  return record.name === zone
    ? `is the top of the zone, where DNS allows no CNAME (RFC 1034 3.6.2): use an ALIAS record of the provider, or the addresses of ${record.hostname}`
    : undefined;
}
