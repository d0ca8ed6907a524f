// The zone file: what to hand to the DNS team. Names whose target is not known yet stand in it as comments.
import { isHost, isWithin } from '../../core/names.ts';
import type { DnsRecord, Plan } from '../../plan/schema/index.ts';
import { type Artefact, bannerLines } from '../artefact.ts';
import { proposedNotes } from '../proposed.ts';
import { commentLines, oneLine } from '../text/one-line.ts';
import { resourceRecords, zoneProblem } from './records.ts';

const title = 'DNS zone';

export const zone: Artefact = {
  name: 'zone',
  title,
  files: (plan) => [{ path: 'dns/zone.db', text: zoneText(plan) }],
};

function zoneText(plan: Plan): string {
  const servers = nameServers(plan);
  const head = commentLines(';', [
    ...bannerLines(plan, title),
    'Raise the serial with every change, or import the records into the zone that exists already.',
    ...proposedNotes(plan),
    ...servers.notes,
  ]);
  return [
    ...head,
    `$ORIGIN ${plan.dns.zone}.`,
    '$TTL 300',
    line('@', 300, 'SOA', `${servers.names[0]} hostmaster.${plan.dns.zone}. ( 1 3600 600 1209600 300 )`),
    ...servers.names.map((name) => line('@', 300, 'NS', name)),
    '',
    ...plan.dns.records.flatMap((record) => recordLines(plan, record)),
    '',
  ].join('\n');
}

const line = (owner: string, ttl: number, type: string, data: string): string =>
  `${owner.padEnd(39)} ${String(ttl).padEnd(6)} IN ${type.padEnd(5)} ${data}`;

/** Name below the zone, as zone files write it. */
const relative = (name: string, zoneName: string): string =>
  name === zoneName ? '@' : name.slice(0, -(zoneName.length + 1));

function recordLines(plan: Plan, record: DnsRecord): string[] {
  const problem = zoneProblem(plan, record);
  const why = `; ${oneLine(`${record.requirement}: ${record.reason}`)}`;
  if (problem !== undefined) return [why, `; left out: ${oneLine(`${record.name} ${problem}`)}`];
  const owner = relative(record.name, plan.dns.zone);
  const wanted = record.hostname === undefined ? 'A/AAAA' : 'CNAME';
  const pending = `; ${line(owner, record.ttl, wanted, `(address of ${oneLine(record.place)}, not known yet)`)}`;
  if (record.phase === 'name') return [why, pending];
  const lines = resourceRecords(record).flatMap(({ type, targets }) =>
    targets.map((target) => line(owner, record.ttl, type, type === 'CNAME' ? `${target}.` : target)),
  );
  return [why, ...lines];
}

interface NameServers {
  readonly names: readonly string[];
  readonly notes: readonly string[];
}

/** Servers of the zone that can be named. One inside the zone needs an address record there, which we may not have. */
function nameServers(plan: Plan): NameServers {
  const given = plan.installation.nameServers.filter((server) => !/^[\d.]+$|:/.test(server));
  const usable = given.filter((server) => isHost(server) && hasAddress(plan, server));
  const leftOut = given.filter((server) => !usable.includes(server));
  const notes = leftOut.map(
    (server) => `Name server ${server} lies in the zone itself: add its address and NS record.`,
  );
  if (usable.length > 0) return { names: usable.map((server) => `${server}.`), notes };
  const why =
    given.length > 0
      ? 'the addresses of its servers are not known here.'
      : 'the servers of the zone are not known by name.';
  return { names: ['localhost.'], notes: [...notes, `SOA and NS are placeholders: ${why}`] };
}

const hasAddress = (plan: Plan, server: string): boolean =>
  !isWithin(server, plan.dns.zone) ||
  plan.dns.records.some(
    (r) => r.name === server && r.phase === 'target' && r.hostname === undefined && r.addresses.length > 0,
  );
