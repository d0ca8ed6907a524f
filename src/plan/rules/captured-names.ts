// Hosts below our own domain that others serve: a wildcard of ours must not answer for them, nor a cluster take their name.
import { getOrAdd } from '../../core/collections.ts';
import { isWithin } from '../../core/names.ts';
import type { PlanContext } from '../context.ts';
import { servicesOf, tunnelNeed, zoneOf } from '../dns/index.ts';
import { absolute } from './dns.ts';
import { type NamedHost, namedHosts } from './named-hosts.ts';
import { finding, nameOf, none, type PlanRule } from './rule.ts';

const hostsBelow = ({ cache, model, domain }: PlanContext): NamedHost[] =>
  namedHosts(cache, model).filter(({ host }) => isWithin(host, domain));

/** DNS-14: a wildcard answers for every name below it that has no record of its own. */
export const capturedNameRule: PlanRule = (ctx, plan) => {
  if (ctx.model.platform.spec.dns?.wildcards === false) return none;
  const hosts = hostsBelow(ctx);
  if (hosts.length === 0) return none;
  const existing = (ctx.model.platform.spec.dns?.existing ?? []).map((text) => absolute(text, ctx.domain));
  const zone = zoneOf(plan.dns.records, existing);
  return hosts.flatMap(({ host, what, resource, path }) => {
    const record = zone.resolve(host);
    if (record?.name.startsWith('*.') !== true) return none;
    return [
      finding('CW-DNS-CAPTURED', {
        resource,
        path,
        message: `${what} ${host} has no record of its own that we know of, so ${record.name} answers for it: clients would end up at ${record.place}`,
        fix: `add ${host} to dns.existing of the platform once its record exists, or use a name outside ${ctx.domain}`,
        related: nameOf(ctx.model.platform),
      }),
    ];
  });
};

/** DNS-8, DNS-9: one name, one machine. */
export const sharedNameRule: PlanRule = (ctx) => {
  const hosts = hostsBelow(ctx);
  if (hosts.length === 0) return none;
  const byHost = new Map<string, NamedHost[]>();
  for (const named of hosts) getOrAdd(byHost, named.host, () => []).push(named);
  return [...clusterConflicts(ctx, byHost), ...serviceConflicts(ctx, byHost)];
};

type ByHost = ReadonlyMap<string, readonly NamedHost[]>;

function clusterConflicts(ctx: PlanContext, byHost: ByHost) {
  return ctx.clusters.flatMap((c) => {
    const other = byHost.get(c.hostName)?.[0];
    if (other === undefined || c.effective.exposeStrategy === 'LoadBalancer') return none;
    return [
      finding('CW-NAME-CONFLICT', {
        resource: nameOf(c.cluster),
        path: ['metadata', 'name'],
        message: `${c.hostName} is the name of the ${other.what} already`,
        fix: `give the cluster another name, for example ${c.name}-1`,
        related: other.resource,
      }),
    ];
  });
}

/** Names that the platform itself answers under. */
function serviceConflicts(ctx: PlanContext, byHost: ByHost) {
  const own = [
    ctx.domain,
    ...servicesOf(ctx).map((service) => `${service}.${ctx.domain}`),
    ...ctx.model.seeds.flatMap((seed) => tunnelNeed(ctx, seed)?.name ?? []),
  ];
  return own.flatMap((name) =>
    (byHost.get(name) ?? []).map(({ what, resource, path }) =>
      finding('CW-NAME-CONFLICT', {
        resource,
        path,
        message: `${name} is a name that the platform answers under itself, so it cannot be the ${what} too`,
        fix: `use another name for the ${what}`,
        related: nameOf(ctx.model.platform),
      }),
    ),
  );
}
