// Records: who writes them, what hides them, what they point to, and how long they may be.
import { isWithin } from '../../core/names.ts';
import type { Finding } from '../../model/finding.ts';
import { type ClusterContext, type PlanContext, seedDomainOf, type Target, tunnelNameOf } from '../context.ts';
import { konnectivityNameOf } from '../endpoints.ts';
import type { Plan } from '../schema/index.ts';
import { type ClusterRule, finding, nameOf, none, type PlanRule } from './rule.ts';

/** DNS-14: a wildcard ends where a name exists (closest encloser, RFC 4592), and existing names are not ours. */
export const shadowRule: PlanRule = (ctx, plan) => {
  const { existing } = ctx.model.platform.spec.dns ?? {};
  if (existing === undefined || existing.length === 0) return none;
  const records = new Set(plan.dns.records.map(({ name }) => name));
  const zones = plan.dns.records.filter(({ name }) => name.startsWith('*.')).map(({ name }) => name.slice(2));
  const clusters = new Map(ctx.clusters.map((c) => [c.hostName, c]));
  return existing.flatMap((text, i) => {
    const name = absolute(text, ctx.domain);
    if (records.has(name)) return [shadow(ctx, i, `${name} exists already, but the plan needs it`, [name])];
    const hidden = zones.flatMap((zone) => hiddenBelow(ctx, plan, clusters, zone, name)).filter((n) => !records.has(n));
    if (hidden.length === 0) return none;
    return [shadow(ctx, i, `the existing name ${name} hides the wildcard for ${hidden.join(', ')}`, hidden)];
  });
};

const absolute = (name: string, domain: string): string => {
  const clean = name.endsWith('.') ? name.slice(0, -1) : name;
  return isWithin(clean, domain) ? clean : `${clean}.${domain}`;
};

/** Names that only the wildcard of `zone` would answer, and that `existing` takes away from it. */
function hiddenBelow(
  ctx: PlanContext,
  plan: Plan,
  clusters: ReadonlyMap<string, ClusterContext>,
  zone: string,
  existing: string,
): string[] {
  if (existing === zone || !isWithin(existing, zone)) return [];
  const label = existing
    .slice(0, -zone.length - 1)
    .split('.')
    .at(-1);
  const child = `${label}.${zone}`;
  // Names below a seed belong to the seed's own wildcard, if it has one.
  if (zone === ctx.domain) return servedByIngress(plan, child);
  if (child === tunnelNameOf(zone)) return [child];
  const cluster = clusters.get(child);
  if (cluster === undefined || cluster.effective.exposeStrategy === 'LoadBalancer') return [];
  return cluster.effective.exposeStrategy === 'Tunneling' ? [child, konnectivityNameOf(cluster)] : [child];
}

const servedByIngress = (plan: Plan, child: string): string[] =>
  (plan.certificates.find(({ name }) => name === 'platform')?.dnsNames ?? []).filter((name) => name === child);

const shadow = (ctx: PlanContext, index: number, message: string, names: readonly string[]): Finding =>
  finding('CW-DNS-SHADOW', {
    resource: nameOf(ctx.model.platform),
    path: ['spec', 'dns', 'existing', index],
    message,
    fix: `remove the existing record, or let the owner of the zone add ${names.join(' and ')} explicitly`,
  });

/** DNS-15. */
export const dynamicAddressRule: PlanRule = (ctx) => {
  if (ctx.model.platform.spec.dns?.externalDNS === true) return none;
  const isStale = ({ dynamic, hostname, addresses }: Target): boolean =>
    dynamic && hostname === undefined && addresses.length > 0;
  const report = (resource: string, block: string, who: string, target: Target): Finding =>
    finding('CW-DNS-DYNAMIC', {
      resource,
      path: ['spec', block, 'address'],
      message: `records of ${who} would hold ${target.addresses.join(', ')}, which the cloud may change`,
      fix: 'reserve the address and remove dynamic, set hostname to the name of the load balancer, or set dns.externalDNS to true',
    });
  return [
    ...(isStale(ctx.ingress) ? [report(nameOf(ctx.model.platform), 'ingress', 'the ingress', ctx.ingress)] : []),
    ...[...ctx.gateways]
      .filter(([, target]) => isStale(target))
      .map(([seed, target]) => report(`Seed/${seed}`, 'gateway', `the gateway of seed ${seed}`, target)),
  ];
};

/** DNS-13, LB-5. */
export const dnsOwnerRule: PlanRule = ({ model }) => {
  if (model.platform.spec.dns?.externalDNS !== true) return none;
  return [...model.seeds, ...model.datacenters]
    .filter(({ spec }) => spec.loadBalancer?.kubelb?.dns === true)
    .map((owner) =>
      finding('CW-DNS-OWNER', {
        resource: nameOf(owner),
        path: ['spec', 'loadBalancer', 'kubelb', 'dns'],
        message: 'KubeLB and external-dns both write records of this platform',
        fix: 'set kubelb.dns to false, or set dns.externalDNS of the platform to false',
        related: nameOf(model.platform),
      }),
    );
};

const longest = 253;

/** The longest name that a cluster needs. */
export const clusterNameRule: ClusterRule = (c) => {
  const name = c.effective.exposeStrategy === 'Tunneling' ? konnectivityNameOf(c) : c.hostName;
  if (name.length <= longest || c.effective.exposeStrategy === 'LoadBalancer') return none;
  return [tooLong(nameOf(c.cluster), ['metadata', 'name'], name)];
};

export const seedNameRule: PlanRule = ({ model, domain }) =>
  model.seeds.flatMap((seed) => {
    const name = `alertmanager.${seedDomainOf(seed, domain)}`;
    return name.length <= longest ? none : [tooLong(nameOf(seed), ['spec', 'dnsName'], name)];
  });

const tooLong = (resource: string, path: readonly string[], name: string): Finding =>
  finding('CW-NAME-TOO-LONG', {
    resource,
    path,
    message: `${name.slice(0, 40)}… has ${name.length} characters; DNS allows ${longest}`,
    fix: `save ${name.length - longest} characters: shorten the name, the dnsName of the seed, or the domain`,
  });
