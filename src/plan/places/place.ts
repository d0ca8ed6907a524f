import type { Place } from '../schema/index.ts';
import { isAddress } from './remote.ts';

/** A place of which all that is known is given; nothing known means that somebody still has to say where it is. */
export function placeOf(
  id: string,
  title: string,
  known: { readonly networks?: readonly string[]; readonly hosts?: readonly string[]; readonly incomplete?: boolean },
): Place {
  const hosts = known.hosts ?? [];
  // Manifests accept an address wherever they accept a name; a firewall rule needs them apart.
  const networks = unique([...(known.networks ?? []), ...hosts.filter(isAddress)]);
  const names = unique(hosts.filter((host) => !isAddress(host)));
  const pending = known.incomplete === true || networks.length + names.length === 0;
  return { id, title, networks, hosts: names, pending };
}

export const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];
