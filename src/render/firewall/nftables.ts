// The matrix as a ruleset for nft: default drop, one named set per place and family, one rule per flow.
import type { Family } from '../../core/ip.ts';
import type { Flow, Place, Plan } from '../../plan/schema/index.ts';
import { type Artefact, bannerLines } from '../artefact.ts';
import { families, mergedTexts } from '../networks.ts';
import { proposedNotes } from '../proposed.ts';
import { commentLines, cutBytes, oneLine } from '../text/one-line.ts';
import { withNarrowInternet } from './internet.ts';
import { type MatrixRow, matrixRows, mergedPorts } from './rows.ts';

const title = 'Ruleset for nftables';

export const nftables: Artefact = {
  name: 'nftables',
  title,
  files: (plan) => [{ path: 'firewall/nftables.conf', text: ruleset(plan) }],
};

/** nft looks for it below /etc and below directories given with -I; a pattern that matches nothing is no error. */
const ownFiles = 'causeway/nftables.d/*.nft';

function ruleset(plan: Plan): string {
  const rows = withNarrowInternet(matrixRows(plan), plan);
  const nameOf = setNames(rows);
  return [
    '#!/usr/sbin/nft -f',
    ...commentLines('#', [
      ...bannerLines(plan, title),
      ...proposedNotes(plan),
      'Forwards what the platform needs and drops the rest. Load it on a router between the places; nft replaces the table as a whole.',
      'An empty set is a place whose addresses are not known to the plan: nothing of it passes until they are added.',
      `Add them in a file of your own, /etc/${ownFiles.replace('*', 'local')}, which is read at the end and never written here:`,
      `add element inet causeway ${exampleSet(rows, nameOf)} { 192.0.2.10, 192.0.2.32/28 }`,
      'The Internet is what is neither private nor a network of this plan; names behind private addresses need a place of their own.',
    ]),
    '',
    // Declared before it is deleted, so that the first load does not fail.
    'table inet causeway',
    'delete table inet causeway',
    'table inet causeway {',
    ...placesOf(rows).flatMap((place) => families.map((family) => set(place, family, nameOf(place, family)))),
    '',
    '  chain forward {',
    '    type filter hook forward priority filter; policy drop;',
    '    ct state established,related counter accept',
    '    ct state invalid counter drop',
    ...rows.flatMap((row) => rules(row, nameOf)),
    '  }',
    '}',
    '',
    `include "${ownFiles}"`,
    '',
  ].join('\n');
}

/** A set that really waits for addresses, where there is one. */
function exampleSet(rows: readonly MatrixRow[], nameOf: NameOf): string {
  const empty = placesOf(rows).find(({ networks }) => networks.length === 0);
  return empty === undefined ? 'master/api.v4' : nameOf(empty, 4);
}

function placesOf(rows: readonly MatrixRow[]): Place[] {
  const used = new Map<string, Place>();
  for (const { source, destination } of rows) {
    used.set(source.id, source).set(destination.id, destination);
  }
  return [...used.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

type NameOf = (place: Place, family: Family) => string;

/** nft takes letters, digits and `/-_.` in a name; two places never share one. */
function setNames(rows: readonly MatrixRow[]): NameOf {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const { id } of placesOf(rows)) {
    const base = id.replace(/[^A-Za-z0-9/._-]/g, '_').replace(/^[^A-Za-z]/, 'place$&');
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base}.${n}`;
    taken.add(name);
    names.set(id, name);
  }
  return (place, family) => `${names.get(place.id)}.v${family}`;
}

/** A comment of nft has at most 128 bytes and cannot hold a double quote. */
const comment = (text: string): string => `comment "${cutBytes(oneLine(text).replaceAll('"', "'"), 120)}"`;

function set(place: Place, family: Family, name: string): string {
  const elements = mergedTexts(place.networks, family);
  const kind = `type ipv${family}_addr; flags interval;`;
  const hosts = place.hosts.length > 0 ? `: ${place.hosts.join(' ')}` : '';
  if (elements.length > 0) {
    return `  set ${name} { ${kind} ${comment(place.title)}; elements = { ${elements.join(', ')} }; }`;
  }
  const known = place.networks.length > 0;
  const hint = known ? `${place.title}: none of this family` : `fill in the addresses of ${place.title}${hosts}`;
  return `  set ${name} { ${kind} ${comment(hint)}; }`;
}

function rules(row: MatrixRow, nameOf: NameOf): string[] {
  const written = families
    .filter((family) => mayTalk(row.source, family) && mayTalk(row.destination, family))
    .map((family) => rule(row, family, nameOf));
  const { from, to, requirement } = row.flow;
  const nothing = `    # ${oneLine(`${requirement} ${from} to ${to}: the two have no address family in common`)}`;
  return written.length > 0 ? written : [nothing];
}

const mayTalk = (place: Place, family: Family): boolean =>
  place.networks.length === 0 || mergedTexts(place.networks, family).length > 0;

function rule({ flow, source, destination }: MatrixRow, family: Family, nameOf: NameOf): string {
  const ip = family === 4 ? 'ip' : 'ip6';
  const from = `${ip} saddr @${nameOf(source, family)}`;
  const to = `${ip} daddr @${nameOf(destination, family)}`;
  const why = comment(`${flow.requirement} ${flow.from} to ${flow.to}: ${flow.reason}`);
  return `    ${[from, to, portMatch(flow), 'counter accept', why].filter((part) => part !== '').join(' ')}`;
}

function portMatch({ protocol, ports }: Flow): string {
  if (protocol === 'any') return '';
  return ports.length === 0 ? `meta l4proto ${protocol}` : `${protocol} dport { ${mergedPorts(ports).join(', ')} }`;
}
