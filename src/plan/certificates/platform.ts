// The one certificate behind the ingress (charts take a single file), and that of each gateway for the tunnel.

import type { Seed } from '../../model/schema/index.ts';
import { type PlanContext, seedDomainOf } from '../context.ts';
import { monitoringNeeds, serviceNeeds, tunnelNeed } from '../dns/needs.ts';
import { masterIngress } from '../places/ids.ts';
import type { Certificate } from '../schema/index.ts';
import { gatewayIssuer, platformIssuer } from './issuer.ts';

export function platformCertificate(ctx: PlanContext): Certificate {
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
export function gatewayCertificate(ctx: PlanContext, seed: Seed): Certificate[] {
  const need = tunnelNeed(ctx, seed);
  if (need === undefined) return [];
  const { name, place, clusters } = need;
  const subject = { name: `gateway-${seed.metadata.name}`, ...gatewayIssuer, dnsNames: [name], ips: [] };
  return [{ ...subject, place, requirement: 'PRT-8', clusters }];
}
