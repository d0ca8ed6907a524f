// Most changes of a cluster have nothing to do with addresses; then nothing has to be handed out again.
import { isDeepStrictEqual } from 'node:util';
import type { AddressInput, Located } from './index.ts';

export const asksSame = (before: AddressInput, now: AddressInput): boolean =>
  before.allocations === now.allocations &&
  everybodyLocated(before) &&
  everybodyLocated(now) &&
  sameLists(before.model.seeds, now.model.seeds, isSame) &&
  sameLists(before.model.datacenters, now.model.datacenters, isSame) &&
  sameLists(before.model.pools, now.model.pools, isSame) &&
  sameLists(before.located, now.located, asks);

/** A cluster that belongs nowhere asks for nothing, but what it has by hand is taken all the same. */
const everybodyLocated = ({ model, located }: AddressInput): boolean => model.clusters.length === located.length;

const isSame = (a: unknown, b: unknown): boolean => a === b;

function sameLists<Item>(a: readonly Item[], b: readonly Item[], same: (a: Item, b: Item) => boolean): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i] && !same(a[i] as Item, b[i] as Item)) return false;
  return true;
}

const asks = (a: Located, b: Located): boolean =>
  a.cluster.metadata.name === b.cluster.metadata.name &&
  a.datacenter === b.datacenter &&
  a.effective.exposeStrategy === b.effective.exposeStrategy &&
  a.cluster.spec.loadBalancerHostname === b.cluster.spec.loadBalancerHostname &&
  isDeepStrictEqual(a.cluster.spec.loadBalancerIPs, b.cluster.spec.loadBalancerIPs) &&
  isDeepStrictEqual(a.cluster.spec.workloadAddresses, b.cluster.spec.workloadAddresses);
