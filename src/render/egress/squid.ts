// The allow-list as access rules for Squid, to be included before its closing `http_access deny all`.
import { isIP } from 'node:net';
import type { Plan } from '../../plan/schema/index.ts';
import { type Artefact, bannerLines } from '../artefact.ts';
import { placeOf } from '../firewall/rows.ts';
import { families, mergedTexts } from '../networks.ts';
import { commentLines, oneLine } from '../text/one-line.ts';
import { type DestinationGroup, destinationGroups } from './destinations.ts';
import { retiredEntries } from './retired.ts';

const title = 'Access rules for Squid';
/** Plain HTTP is fetched by the proxy; everything else is a tunnel to exactly the listed ports. */
const plainPort = 80;

export const squid: Artefact = {
  name: 'squid',
  title,
  files: (plan) => [{ path: 'egress/squid.conf', text: fragment(plan) }],
};

function fragment(plan: Plan): string {
  const groups = destinationGroups(plan);
  const places = [...new Set(groups.flatMap((group) => group.from))].sort();
  const acls = new Map(places.map((place, index) => [place, sourceAcl(plan, place, index + 1)]));
  const banner = [...bannerLines(plan, title), 'Include it before "http_access deny all".'];
  return [
    ...commentLines('#', banner),
    // Where nothing is fetched through a proxy, a list that no rule uses would only raise questions.
    ...(groups.length > 0 ? ['acl causeway_connect method CONNECT'] : []),
    ...unusualPorts(groups),
    '',
    ...[...acls.values()].flatMap((acl) => acl.lines),
    ...groups.flatMap((group, index) => groupRules(group, index + 1, acls)),
    '',
    ...retiredLines(plan),
  ].join('\n');
}

/** The configuration that Squid comes with tunnels to 443 only; more ports can be added to its lists at any place. */
function unusualPorts(groups: readonly DestinationGroup[]): string[] {
  const ports = new Set(groups.flatMap((group) => group.ports).filter((port) => port !== 443 && port !== plainPort));
  const list = [...ports].sort((a, b) => a - b).join(' ');
  return list === '' ? [] : [`acl SSL_ports port ${list}`, `acl Safe_ports port ${list}`];
}

interface SourceAcl {
  /** Numbered: Squid takes 63 characters, and a place may have more. */
  readonly name: string;
  readonly known: boolean;
  readonly lines: readonly string[];
}

function sourceAcl(plan: Plan, id: string, number: number): SourceAcl {
  const place = placeOf(plan, id);
  const sources = families.flatMap((family) => mergedTexts(place.networks, family));
  const known = sources.length > 0;
  const name = `causeway_from_${number}`;
  const open = `# acl ${name} src (fill in its addresses, then uncomment this line and its rules)`;
  return {
    name,
    known,
    lines: [`# ${oneLine(`${id}: ${place.title}`)}`, known ? `acl ${name} src ${sources.join(' ')}` : open],
  };
}

function groupRules(group: DestinationGroup, number: number, sources: ReadonlyMap<string, SourceAcl>): string[] {
  const { names, addresses } = squidHosts(group.hosts);
  const acls = [
    ...(names.length > 0 ? [{ acl: `causeway_names_${number}`, text: `dstdomain -n ${names.join(' ')}` }] : []),
    ...(addresses.length > 0 ? [{ acl: `causeway_addresses_${number}`, text: `dst ${addresses.join(' ')}` }] : []),
  ];
  const ways = [
    {
      ports: group.ports.filter((port) => port !== plainPort),
      connect: 'causeway_connect',
      acl: `causeway_tls_${number}`,
    },
    {
      ports: group.ports.filter((port) => port === plainPort),
      connect: '!causeway_connect',
      acl: `causeway_http_${number}`,
    },
  ].filter(({ ports }) => ports.length > 0);
  const rules = group.from.flatMap((place) =>
    ways.flatMap((way) => acls.map(({ acl }) => rule(sources.get(place), `${way.connect} ${way.acl} ${acl}`))),
  );
  return [
    '',
    ...acls.map(({ acl, text }) => `acl ${acl} ${text}`),
    ...ways.map(({ acl, ports }) => `acl ${acl} port ${ports.join(' ')}`),
    ...rules,
  ];
}

const rule = (source: SourceAcl | undefined, conditions: string): string =>
  `${source?.known ? '' : '# '}http_access allow ${source?.name} ${conditions}`;

/** Squid's `.domain` covers the domain and all below it, and it refuses a list in which one entry covers another. */
export function squidHosts(hosts: readonly string[]): { names: string[]; addresses: string[] } {
  const names = hosts.filter((host) => isIP(host) === 0 && /^[A-Za-z0-9*._-]+$/.test(host));
  const suffixes = new Set(names.filter((host) => host.startsWith('*.')).map((host) => host.slice(1)));
  const written = new Set(names.map((host) => (host.startsWith('*.') ? host.slice(1) : host)));
  const covered = (name: string): boolean =>
    [...parents(name)].some((suffix) => suffix !== name && suffixes.has(suffix));
  return {
    names: [...written].filter((name) => !covered(name)).sort(),
    addresses: hosts.filter((host) => isIP(host) !== 0).sort(),
  };
}

/** `.a.b.c` for a.b.c, then `.b.c`, then `.c`. */
function* parents(name: string): Generator<string> {
  let suffix = name.startsWith('.') ? name : `.${name}`;
  while (suffix.length > 1) {
    yield suffix;
    const next = suffix.indexOf('.', 1);
    suffix = next < 0 ? '' : suffix.slice(next);
  }
}

function retiredLines(plan: Plan): string[] {
  const hosts = new Set(retiredEntries(plan).closable.map((entry) => entry.host));
  const lines = ['May be closed, if older rules still allow them:', ...hosts];
  return hosts.size === 0 ? [] : [...commentLines('#', lines), ''];
}
