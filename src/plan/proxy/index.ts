// One effective proxy per place, and what bypasses it there.
import { memo } from '../../core/memo.ts';
import type { Model, Seed } from '../../model/schema/index.ts';
import type { ClusterContext, PlanContext } from '../context.ts';
import type { PlaceProxy, ProxyPlan, Reachability } from '../schema/index.ts';
import type { Effective, ProxyServer } from '../settings/effective.ts';
import { datacenterSettings, platformSettings, seedSettings } from '../settings/index.ts';
import { clusterNoProxy, controlPlaneNoProxy, managementNoProxy } from './no-proxy.ts';
import { reachabilityOf } from './reachability.ts';

export function planProxy(ctx: PlanContext): ProxyPlan {
  const places: Record<string, PlaceProxy> = {};
  const workers: Record<string, Reachability> = {};
  addManagement(places, ctx.model);
  for (const c of ctx.clusters) {
    workers[c.name] = reachabilityOf(c);
    for (const [place, proxy] of clusterPlaces(c)) places[place] = proxy;
  }
  return { places, workers };
}

function addManagement(places: Record<string, PlaceProxy>, model: Model): void {
  const add = (place: string, effective: Effective, networks: readonly string[]): void => {
    if (effective.proxy !== undefined)
      places[place] = placeProxy(effective.proxy, managementList(model, effective, networks));
  };
  add('master', platformSettings(model).effective, model.platform.spec.master.nodes.networks);
  const seeds = new Map(model.seeds.map((seed) => [seed.metadata.name, seed]));
  for (const seed of model.seeds)
    add(`seed/${seed.metadata.name}/control-plane`, seedSettings(model, seed).effective, seed.spec.nodes.networks);
  for (const datacenter of model.datacenters) {
    const seed = seeds.get(datacenter.spec.seed);
    if (seed === undefined) continue;
    const { effective } = datacenterSettings(model, seed, datacenter);
    if (effective.proxy !== undefined)
      places[`datacenter/${datacenter.metadata.name}/nodes`] = placeProxy(
        effective.proxy,
        nodeList(effective, datacenter.spec.nodes.networks),
      );
  }
}

/** The platform's own parts talk to every seed API and gateway directly; those flows are in the matrix. */
const managementList = (model: Model, effective: Effective, networks: readonly string[]): string[] =>
  managementNoProxy(model.platform.spec.domain, effective.noProxy, networks, [
    model.platform.spec.master.api.host,
    ...model.seeds.map((seed) => seed.spec.api.host),
  ]);

const nodeList = (effective: Effective, networks: readonly string[]): string[] =>
  managementNoProxy(effective.dnsDomain, effective.noProxy, networks, [...effective.services, ...effective.pods]);

const clusterPlaces = memo((c: ClusterContext): readonly (readonly [string, PlaceProxy])[] => {
  const places: [string, PlaceProxy][] = [];
  const inSeed = seedEffective(c);
  if (inSeed.proxy !== undefined) {
    const entries = managementNoProxy(c.platform.spec.domain, inSeed.noProxy, c.seed.spec.nodes.networks, [
      c.seed.spec.api.host,
    ]);
    places.push([`cluster/${c.name}/control-plane`, placeProxy(inSeed.proxy, controlPlaneNoProxy(c, entries))]);
  }
  if (c.effective.proxy !== undefined) {
    const proxy = placeProxy(c.effective.proxy, clusterNoProxy(c));
    places.push([`cluster/${c.name}/nodes`, proxy], [`cluster/${c.name}/pods`, proxy]);
  }
  return places;
});

const seedEffective = (c: ClusterContext): Effective => ofSeed(c.platform)(c.seed);
const ofSeed = memo((platform: Model['platform']) =>
  memo((seed: Seed) => seedSettings({ platform, seeds: [], datacenters: [], clusters: [], pools: [] }, seed).effective),
);

function placeProxy(proxy: ProxyServer, noProxy: string[]): PlaceProxy {
  const { http, https, credentials, trustBundle, from } = proxy;
  return {
    ...(http === undefined ? {} : { http }),
    ...(https === undefined ? {} : { https }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(trustBundle === undefined ? {} : { trustBundle }),
    noProxy,
    from,
  };
}
