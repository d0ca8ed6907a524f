// Pools, announcements and routers for MetalLB.
import { formatRange, type IpRange } from '../../core/ip.ts';
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
  undecidedNote,
} from './announcer.ts';
import type { AnnouncedPool, Environment } from './environments.ts';

const namespace = 'metallb-system';

export const metallb = announcerArtefact({
  name: 'metallb',
  title: 'MetalLB',
  documents: (environment) => [...environment.pools.map(poolDocument), ...announcements(environment)],
});

const document = documentsOf('metallb.io', { namespace });

const poolDocument = (pool: AnnouncedPool): YamlDocument =>
  document(
    'v1beta1',
    'IPAddressPool',
    pool.name,
    { addresses: pool.ranges.map(poolRange), ...(pool.automatic ? {} : { autoAssign: false }) },
    [...(pool.automatic ? [] : [askedBy('metallb.io/loadBalancerIPs')]), ...pool.notes],
  );

/** MetalLB reads networks and a-b; a single address must be written as a network. */
const poolRange = (range: IpRange): string =>
  range.first === range.last ? networksOf(range).join() : formatRange(range);

function announcements({ pools, loadBalancer: { mode, bgp } }: Environment): YamlDocument[] {
  const ipAddressPools = pools.map((pool) => pool.name);
  if (mode === 'BGP' && bgp !== undefined) return bgpDocuments(bgp, ipAddressPools);
  return [document('v1beta1', 'L2Advertisement', 'causeway', { ipAddressPools }, undecidedNote(mode))];
}

const bgpDocuments = (bgp: Bgp, ipAddressPools: readonly string[]): YamlDocument[] => [
  ...bgp.peers.map((peer) => peerDocument(bgp.asn, peer)),
  document('v1beta1', 'BGPAdvertisement', 'causeway', {
    ipAddressPools,
    aggregationLength: 32,
    aggregationLengthV6: 128,
    peers: bgp.peers.map(peerName),
  }),
];

function peerDocument(myASN: number, peer: Peer): YamlDocument {
  const password = passwordOf(peer);
  const spec = {
    myASN,
    peerASN: peer.asn,
    peerAddress: peer.address,
    holdTime: peer.holdTime ?? defaultHoldTime,
    ...(peer.multihop ? { ebgpMultiHop: true } : {}),
    ...(password === undefined ? {} : { passwordSecret: { name: password.secret, namespace } }),
  };
  const note = password && [`${password.note} Its type must be kubernetes.io/basic-auth.`];
  return document('v1beta2', 'BGPPeer', peerName(peer), spec, note);
}
