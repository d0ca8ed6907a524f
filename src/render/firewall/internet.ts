// The Internet as a packet filter must see it: not every address there is, or what goes out may go everywhere inside.
import { formatRange } from '../../core/ip.ts';
import type { Place, Plan } from '../../plan/schema/index.ts';
import { families, mergedRanges } from '../networks.ts';
import type { MatrixRow } from './rows.ts';

/** Private, shared, local, multicast and reserved ranges (RFC 6890): none of them is routed on the Internet. Of IPv6 all from fc00:: to the end. */
const notRouted = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
  ...['224.0.0.0/4', '240.0.0.0/4', '::/127', 'fc00::/6'],
];

const everything = ['0.0.0.0/0', '::/0'];

/** Users may be anywhere; such a place says nothing about what is inside. */
const isEverywhere = ({ networks }: Place): boolean => networks.some((network) => everything.includes(network));

export function outside(plan: Plan): string[] {
  const inside = Object.values(plan.places)
    .filter((place) => !isEverywhere(place))
    .flatMap(({ networks }) => networks);
  const without = [...inside, ...plan.installation.corporateNetworks, ...notRouted];
  return families.flatMap((family) => mergedRanges(everything, family, without).map(formatRange));
}

/** The same rows, with the Internet narrowed to what lies outside of the platform. */
export function withNarrowInternet(rows: readonly MatrixRow[], plan: Plan): MatrixRow[] {
  const networks = outside(plan);
  const narrow = (place: Place): Place =>
    place.id === 'internet' ? { ...place, title: `${place.title}, without private and own networks`, networks } : place;
  return rows.map(({ flow, source, destination }) => ({
    flow,
    source: narrow(source),
    destination: narrow(destination),
  }));
}
