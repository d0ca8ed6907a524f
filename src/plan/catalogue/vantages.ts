// Places that a requirement is checked from.
import type { Datacenter, ProviderName, Strategy } from '../../model/schema/index.ts';
import * as id from '../places/ids.ts';
import { usesOf, type WorkerGroup } from '../places/uses.ts';
import { type List, once, type Sources } from './sources.ts';

const place = (name: string): List => {
  const list = [name];
  return () => list;
};

export const users = place(id.users);
export const installer = place(id.installer);
export const bastion = place(id.bastion);
export const master = place(id.masterNodes);
export const authoritative = place(id.authoritative);

const nameOf = (resource: { readonly metadata: { readonly name: string } }): string => resource.metadata.name;
const nodesOf = (seed: string): string => id.seedPlace(seed, 'nodes');

export const seeds: List = once(({ ctx }) => ctx.model.seeds.map((seed) => nodesOf(nameOf(seed))));

/** Networks with workers of some kind, or prepared for them. */
const workersWhere = (where: (group: WorkerGroup) => boolean): List =>
  once(({ ctx }) => {
    const groups = usesOf(ctx).datacenters.flatMap((use) => use.groups.filter(where));
    return [...new Set(groups.map((group) => group.place))].sort();
  });
export const workers: List = workersWhere(() => true);
export const workersBy = (strategy: Strategy): List =>
  workersWhere(({ effective }) => effective.exposeStrategy === strategy);

const matching = (where: (datacenter: Datacenter) => boolean): ((sources: Sources) => Datacenter[]) =>
  once(({ ctx }) => ctx.model.datacenters.filter(where));
const seedsWhere = (where: (datacenter: Datacenter) => boolean): List => {
  const found = matching(where);
  return once((s) => [...new Set(found(s).map((dc) => nodesOf(dc.spec.seed)))].sort());
};

const runsOn = (provider: ProviderName) => (dc: Datacenter) => dc.spec.provider[provider] !== undefined;
const integratesAs = (option: 'I' | 'II') => (dc: Datacenter) => dc.spec.integration === option;

export const workersOn = (provider: ProviderName): List =>
  workersWhere(({ datacenter }) => runsOn(provider)(datacenter));
export const seedsOn = (provider: ProviderName): List => seedsWhere(runsOn(provider));
export const workersOf = (option: 'I' | 'II'): List =>
  workersWhere(({ datacenter }) => integratesAs(option)(datacenter));
export const seedsOf = (option: 'I' | 'II'): List => seedsWhere(integratesAs(option));

/** Places that reach the hosts which the allow-list has for a row. */
export const needing = (row: string): List =>
  once(({ plan }) => {
    const entries = plan.egress.entries.filter((entry) => entry.requirement === row && entry.status === 'active');
    return [...new Set(entries.flatMap((entry) => entry.from))].sort();
  });
