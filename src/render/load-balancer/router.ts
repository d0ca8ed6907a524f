// The other end of BGP: what the routers must accept, in the language of FRR.
import type { Family, IpRange } from '../../core/ip.ts';
import type { Plan } from '../../plan/schema/index.ts';
import { type Artefact, type ArtefactFile, bannerLines } from '../artefact.ts';
import { families, networksOf } from '../networks.ts';
import { commentLines } from '../text/one-line.ts';
import { type Bgp, defaultHoldTime, type Peer, secondsOf } from './announcer.ts';
import { type Environment, sites } from './environments.ts';

const title = 'Router configuration';

export const prefixList: Artefact = {
  name: 'prefix-list',
  title,
  files: (plan) => sites(plan).flatMap((environment) => routerFiles(plan, environment)),
};

/** One file per AS number: routers of the same one are configured alike. */
function routerFiles(plan: Plan, environment: Environment): ArtefactFile[] {
  const { mode, bgp } = environment.loadBalancer;
  if (mode !== 'BGP' || bgp === undefined) return [];
  const numbers = [...new Set(bgp.peers.map((peer) => peer.asn))];
  return numbers.map((asn) => ({
    path: `router/${environment.path}${numbers.length > 1 ? `-as${asn}` : ''}.conf`,
    text: configuration(plan, environment, bgp, asn),
  }));
}

function configuration(plan: Plan, environment: Environment, bgp: Bgp, asn: number): string {
  const name = `causeway-${environment.path}`;
  const peers = bgp.peers.filter((peer) => peer.asn === asn);
  const used = families.filter((family) => prefixes(environment, family).length > 0);
  const banner = [
    ...bannerLines(plan, `${title} for ${environment.title}`),
    `For ${peers.map((peer) => peer.address).join(', ')}: one route per service address, no communities, local preference zero.`,
    ...(peers.some((peer) => peer.password) ? [`Set the agreed password: neighbor ${name} password …`] : []),
  ];
  return [
    ...commentLines('!', banner),
    ...used.flatMap((family) => prefixLines(environment, family, name)),
    '!',
    `router bgp ${asn}`,
    ...neighbour(environment, bgp, peers, name).map((line) => ` ${line}`),
    ...used.flatMap((family) => addressFamily(family, name)),
    'exit',
    '!',
    '',
  ].join('\n');
}

const prefixes = ({ pools }: Environment, family: Family): string[] =>
  pools.flatMap((pool) => pool.ranges.filter((range: IpRange) => range.family === family).flatMap(networksOf));

const listCommand = (family: Family): string => (family === 4 ? 'ip' : 'ipv6');
const longest = (family: Family): number => (family === 4 ? 32 : 128);

function prefixLines(environment: Environment, family: Family, name: string): string[] {
  const command = `${listCommand(family)} prefix-list`;
  const permits = [...new Set(prefixes(environment, family))].map((prefix, i) => {
    // A prefix that is a single address already has no longer ones to allow.
    const single = prefix.endsWith(`/${longest(family)}`);
    return `${command} ${name} seq ${(i + 1) * 5} permit ${prefix}${single ? '' : ` le ${longest(family)}`}`;
  });
  return [...permits, `${command} ${name}-none seq 5 deny any`];
}

function neighbour(environment: Environment, bgp: Bgp, peers: readonly Peer[], name: string): string[] {
  // Inside one AS the number of hops does not matter, and FRR refuses to be told.
  const multihop = peers.some((peer) => peer.multihop && peer.asn !== bgp.asn);
  const hold = Math.max(...peers.map((peer) => secondsOf(peer.holdTime ?? defaultHoldTime)));
  return [
    `neighbor ${name} peer-group`,
    `neighbor ${name} remote-as ${bgp.asn}`,
    `neighbor ${name} timers ${Math.max(1, Math.floor(hold / 3))} ${hold}`,
    ...(multihop ? [`neighbor ${name} ebgp-multihop 255`] : []),
    ...environment.nodeNetworks.map((network) => `bgp listen range ${network} peer-group ${name}`),
  ];
}

/** The nodes need no routes from us, and must not be sent any. */
const addressFamily = (family: Family, name: string): string[] => [
  ' !',
  ` address-family ipv${family} unicast`,
  `  neighbor ${name} activate`,
  `  neighbor ${name} prefix-list ${name} in`,
  `  neighbor ${name} prefix-list ${name}-none out`,
  '  maximum-paths 16',
  ' exit-address-family',
];
