// Every certificate with one list of names, where it is shown, and who issues it.
import type { Seed } from '../../model/schema/index.ts';
import { memoLast, type PlanCache } from '../cache.ts';
import { type ClusterContext, type PlanContext, seedDomainOf } from '../context.ts';
import { monitoringNeeds, serviceNeeds, tunnelNeed } from '../dns/needs.ts';
import { masterIngress } from '../places/ids.ts';
import type { Certificate } from '../schema/index.ts';
import { clusterCertificates } from './cluster.ts';
import { gatewayIssuer, platformIssuer } from './issuer.ts';

/** Those of the platform first, then seed by seed. */
export function planCertificates(ctx: PlanContext): Certificate[] {
  const ofSeeds = ctx.model.seeds.flatMap((seed) => [
    gatewayCertificate(ctx, seed),
    ofClusters(ctx.cache, seed, ctx.clustersOfSeed.get(seed.metadata.name) ?? []),
  ]);
  return [platformCertificate(ctx)].concat(...ofSeeds);
}

const remembered = memoLast<Seed, Certificate[]>();
const ofClusters = (cache: PlanCache, seed: Seed, clusters: readonly ClusterContext[]): Certificate[] =>
  remembered(cache, seed, clusters, () => clusters.flatMap(clusterCertificates));

// The one certificate behind the ingress (charts take a single file), and that of each gateway for the tunnel.

function platformCertificate(ctx: PlanContext): Certificate {
  const issued = platformIssuer(ctx.model.platform);
  // HTTP-01 proves single names only.
  const wildcard = ctx.model.platform.spec.certificates?.wildcard === true && issued.issuer !== 'acme-http01';
  const names = wildcard ? wildcardNames(ctx) : singleNames(ctx);
  return {
    name: 'platform',
    ...issued,
    dnsNames: [...new Set(names)],
    ips: [],
    place: masterIngress,
    requirement: 'CRT-6',
    clusters: [],
  };
}

const singleNames = (ctx: PlanContext): string[] => [
  ctx.domain,
  ...serviceNeeds(ctx).map((need) => need.name),
  ...ctx.model.seeds.flatMap((seed) => monitoringNeeds(ctx, seed).map((need) => need.name)),
];

/** A wildcard stands for one label: neither for the domain itself nor for names below a seed. */
function wildcardNames(ctx: PlanContext): string[] {
  const monitored = ctx.model.seeds.filter((seed) => monitoringNeeds(ctx, seed).length > 0);
  return [ctx.domain, `*.${ctx.domain}`, ...monitored.map((seed) => `*.${seedDomainOf(seed, ctx.domain)}`)];
}

/** None where no agent uses the tunnel by TLS. */
function gatewayCertificate(ctx: PlanContext, seed: Seed): Certificate[] {
  const need = tunnelNeed(ctx, seed);
  if (need === undefined) return [];
  const { name, place, clusters } = need;
  const subject = { name: `gateway-${seed.metadata.name}`, ...gatewayIssuer, dnsNames: [name], ips: [] };
  return [{ ...subject, place, requirement: 'PRT-8', clusters }];
}
