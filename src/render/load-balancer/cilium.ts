// Pools, announcements and routers for Cilium.
import { formatAddress, type IpRange } from '../../core/ip.ts';
import { networksOf } from '../networks.ts';
import type { YamlDocument } from '../text/yaml.ts';
import {
  announcerArtefact,
  askedBy,
  type Bgp,
  defaultHoldTime,
  documentsOf,
  type Peer,
  passwordOf,
  peerName,
  secondsOf,
  undecidedNote,
} from './announcer.ts';
import type { AnnouncedPool, Environment } from './environments.ts';

export const cilium = announcerArtefact({
  name: 'cilium',
  title: 'Cilium load balancing',
  documents: (environment) => [...environment.pools.map(poolDocument), ...announcements(environment)],
});

const ours = { 'causeway.dev/announce': 'load-balancers' };
const document = documentsOf('cilium.io', { labels: ours });

const poolDocument = (pool: AnnouncedPool): YamlDocument =>
  document('v2', 'CiliumLoadBalancerIPPool', pool.name, { allowFirstLastIPs: 'Yes', blocks: pool.ranges.map(block) }, [
    ...(pool.automatic ? [] : [askedBy('lbipam.cilium.io/ips')]),
    ...pool.notes,
  ]);

function block(range: IpRange): object {
  const [network, ...more] = networksOf(range);
  if (more.length === 0) return { cidr: network };
  const at = (value: bigint): string => formatAddress({ family: range.family, value });
  return { start: at(range.first), stop: at(range.last) };
}

/** A selector that every Service passes: Cilium takes a missing one for "none". */
const everyService = { matchExpressions: [{ key: 'causeway.dev/never-set', operator: 'DoesNotExist' }] };

function announcements(environment: Environment): YamlDocument[] {
  const { mode, bgp } = environment.loadBalancer;
  if (mode === 'BGP' && bgp !== undefined) return bgpDocuments(environment, bgp);
  return [
    document('v2alpha1', 'CiliumL2AnnouncementPolicy', 'causeway', { loadBalancerIPs: true }, undecidedNote(mode)),
  ];
}

const bgpDocuments = (environment: Environment, bgp: Bgp): YamlDocument[] => [
  document('v2', 'CiliumBGPClusterConfig', 'causeway', {
    bgpInstances: [{ name: 'causeway', localASN: bgp.asn, peers: bgp.peers.map(peerReference) }],
  }),
  ...bgp.peers.map((peer) => peerDocument(environment, peer)),
  document('v2', 'CiliumBGPAdvertisement', 'causeway', {
    advertisements: [
      { advertisementType: 'Service', service: { addresses: ['LoadBalancerIP'] }, selector: everyService },
    ],
  }),
];

const peerReference = (peer: Peer): object => ({
  name: peerName(peer),
  peerASN: peer.asn,
  peerAddress: peer.address,
  peerConfigRef: { name: peerName(peer) },
});

function peerDocument({ pools }: Environment, peer: Peer): YamlDocument {
  const password = passwordOf(peer);
  const holdTimeSeconds = secondsOf(peer.holdTime ?? defaultHoldTime);
  const used = new Set(pools.flatMap((pool) => pool.ranges.map((range) => range.family)));
  const spec = {
    timers: { holdTimeSeconds, keepAliveTimeSeconds: Math.max(1, Math.floor(holdTimeSeconds / 3)) },
    ...(peer.multihop ? { ebgpMultihop: 255 } : {}),
    ...(password === undefined ? {} : { authSecretRef: password.secret }),
    families: [...used]
      .sort()
      .map((family) => ({ afi: `ipv${family}`, safi: 'unicast', advertisements: { matchLabels: ours } })),
  };
  return document(
    'v2',
    'CiliumBGPPeerConfig',
    peerName(peer),
    spec,
    password && [`${password.note} It lives in kube-system.`],
  );
}
