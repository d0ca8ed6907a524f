// When a requirement applies.
import type { Datacenter, Platform, ProviderName, Seed, Strategy } from '../../model/schema/index.ts';
import { usesOf } from '../places/uses.ts';
import { modesInUse } from './cluster-targets.ts';
import { once, type Sources } from './sources.ts';

export type Condition = (sources: Sources) => boolean;
type LoadBalancer = NonNullable<Seed['spec']['loadBalancer']>;

/** Clusters have it, or those that are planned will have it. */
export const usesStrategy =
  (strategy: Strategy): Condition =>
  ({ ctx }) =>
    usesOf(ctx).seeds.some((use) => use.strategies.has(strategy));

export const platformHas =
  (test: (spec: Platform['spec']) => boolean): Condition =>
  ({ ctx }) =>
    test(ctx.model.platform.spec);
export const someSeed =
  (test: (spec: Seed['spec']) => boolean): Condition =>
  ({ ctx }) =>
    ctx.model.seeds.some((seed) => test(seed.spec));
export const someDatacenter =
  (test: (spec: Datacenter['spec']) => boolean): Condition =>
  ({ ctx }) =>
    ctx.model.datacenters.some((datacenter) => test(datacenter.spec));

/** Somewhere: at a seed or in a datacenter. */
export const someLoadBalancer =
  (test: (loadBalancer: LoadBalancer) => boolean): Condition =>
  ({ ctx }) =>
    [...ctx.model.seeds, ...ctx.model.datacenters].some(
      ({ spec }) => spec.loadBalancer !== undefined && test(spec.loadBalancer),
    );

export const usesProvider = (provider: ProviderName): Condition =>
  someDatacenter((spec) => spec.provider[provider] !== undefined);
export const integratesAs = (option: 'I' | 'II'): Condition => someDatacenter((spec) => spec.integration === option);

export const announces = (mode: 'L2' | 'BGP'): Condition => someLoadBalancer((lb) => lb.mode === mode);
export const usesKubeLB = someLoadBalancer((lb) => lb.type === 'kubelb');
export const monitorsUserClusters = someSeed((spec) => spec.monitoring?.userClusters === true);
export const isEnterprise = platformHas((spec) => spec.edition === 'EE');
export const usesAcme = platformHas(
  ({ certificates }) => certificates?.acmeHTTP01 !== undefined || certificates?.acmeDNS01 !== undefined,
);

const usesMode =
  (mode: 'proxy' | 'offline'): Condition =>
  (s) =>
    modesInUse(s).has(mode) || Object.values(s.plan.egress.modes).includes(mode);
export const isOffline = usesMode('offline');
export const usesProxy = usesMode('proxy');
/** Somewhere artefacts come from the internet, directly or through a proxy. */
export const isOnline: Condition = once(({ plan }) =>
  Object.values(plan.egress.modes).some((mode) => mode !== 'offline'),
);

/** The allow-list has something for this row that is still in use. */
export const allowListHas =
  (row: string): Condition =>
  ({ plan }) =>
    plan.egress.entries.some((entry) => entry.requirement === row && entry.status === 'active');
