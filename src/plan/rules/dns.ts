// Records: who writes them, what hides them, what they point to, and how long they may be.
import { isWithin, parentOf } from '../../core/names.ts';
import type { Finding } from '../../model/index.ts';
import { type PlanContext, seedDomainOf, type Target, tunnelNameOf } from '../context.ts';
import { type ClusterRule, finding, nameOf, none, type PlanRule } from './rule.ts';

/**
 * DNS-14: a name that exists and is not ours cannot be ours too, and the wildcard above it ends there (closest encloser,
 * RFC 4592). Names that are merely hidden get explicit records from the plan, so only those that are taken are left.
 */
export const shadowRule: PlanRule = (ctx, plan) => {
  const { existing } = ctx.model.platform.spec.dns ?? {};
  if (existing === undefined || existing.length === 0) return none;
  const records = new Set(plan.dns.records.map(({ name }) => name));
  return existing.flatMap((text, i) => {
    const name = absolute(text, ctx.domain);
    return records.has(name) ? [shadow(ctx, i, name, records)] : none;
  });
};

export const absolute = (text: string, domain: string): string => {
  const name = text.toLowerCase().replace(/\.$/, '');
  return isWithin(name, domain) ? name : `${name}.${domain}`;
};

function shadow(ctx: PlanContext, index: number, name: string, records: ReadonlySet<string>): Finding {
  const wildcard = `*.${parentOf(name)}`;
  const below = [...records].filter((other) => other !== name && isWithin(other, name));
  const hides = records.has(wildcard) ? ` and hides ${wildcard} for ${[name, ...below].join(', ')}` : '';
  return finding('CW-DNS-SHADOW', {
    resource: nameOf(ctx.model.platform),
    path: ['spec', 'dns', 'existing', index],
    message: `${name} exists already${hides}, but the plan needs it`,
    fix: 'have the existing record removed or pointed to the planned target, or rename what needs the name',
  });
}

/** DNS-8, DNS-11, DNS-12: names of a seed that no cluster can have. */
export const reservedNameRule: ClusterRule = (c) => {
  const isMonitored = c.seed.spec.monitoring?.userClusters === true;
  const reserved = [tunnelLabel, ...(isMonitored ? ['grafana', 'alertmanager'] : [])];
  if (c.effective.exposeStrategy === 'LoadBalancer' || !reserved.includes(c.name)) return none;
  return [
    finding('CW-NAME-CONFLICT', {
      resource: nameOf(c.cluster),
      path: ['metadata', 'name'],
      message: `${c.hostName} is the name of the ${c.name === tunnelLabel ? 'tunnel' : `${c.name} of the user clusters`} at seed ${c.seed.metadata.name}`,
      fix: `give the cluster another name, for example ${c.name}-1`,
      related: nameOf(c.seed),
    }),
  ];
};
const tunnelLabel = tunnelNameOf('x').split('.')[0] ?? '';

/** DNS-8: each seed has a domain of its own, beside those of the others. */
export const seedDomainRule: PlanRule = ({ model, domain }) =>
  model.seeds.flatMap((seed, i) => {
    const own = seedDomainOf(seed, domain);
    const other = model.seeds.find((candidate, j) => {
      const theirs = seedDomainOf(candidate, domain);
      return j !== i && (own === theirs ? j < i : isWithin(own, theirs));
    });
    if (other === undefined) return none;
    return [
      finding('CW-NAME-CONFLICT', {
        resource: nameOf(seed),
        path: ['spec', 'dnsName'],
        message: `${own} is the domain of seed ${other.metadata.name}, or lies below it: clusters of both could have the same name`,
        fix: 'give each seed a dnsName of its own',
        related: nameOf(other),
      }),
    ];
  });

const commonEndings = new Set(['com', 'org', 'net', 'io', 'dev', 'cloud', 'local', 'internal', 'corp', 'lan', 'home']);

/** DNS-8: the name of a seed is put in front of the domain, so it must not bring a domain of its own. */
export const seedDnsNameRule: PlanRule = ({ model, domain }) =>
  model.seeds.flatMap((seed) => {
    const { dnsName } = seed.spec;
    if (dnsName?.includes('.') !== true) return none;
    const ending = dnsName.slice(dnsName.lastIndexOf('.') + 1);
    const isOurs = isWithin(dnsName, domain);
    if (!isOurs && ending !== domain.slice(domain.lastIndexOf('.') + 1) && !commonEndings.has(ending)) return none;
    const relative = isOurs && dnsName !== domain ? dnsName.slice(0, -domain.length - 1) : seed.metadata.name;
    return [
      finding('CW-SEED-DOMAIN', {
        resource: nameOf(seed),
        path: ['spec', 'dnsName'],
        message: `${dnsName} is a full name, but the domain is put behind it: names would end in ${seedDomainOf(seed, domain)}`,
        fix: `write it without the domain, for example ${relative}`,
      }),
    ];
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
  const name = c.effective.exposeStrategy === 'Tunneling' ? c.konnectivityName : c.hostName;
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
