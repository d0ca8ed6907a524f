// INT: workers only (I), or a seed at the location too (II).
import { overlaps, parseCidr } from '../../core/ip.ts';
import type { Finding } from '../../model/index.ts';
import { type Datacenter, providerNames, type Seed } from '../../model/schema/index.ts';
import type { PlanContext } from '../context.ts';
import { isPrivate } from './certificates.ts';
import { finding, nameOf, none, type PlanRule } from './rule.ts';

export const integrationRule: PlanRule = (ctx) =>
  ctx.model.datacenters.flatMap((datacenter) => {
    const seed = ctx.seeds.get(datacenter.spec.seed);
    if (seed === undefined || datacenter.spec.integration === undefined) return none;
    return datacenter.spec.integration === 'I' ? optionOne(datacenter, seed) : optionTwo(ctx, datacenter, seed);
  });

const report = (datacenter: Datacenter, seed: Seed, message: string, fix: string): Finding[] => [
  finding('CW-INTEGRATION', {
    resource: nameOf(datacenter),
    path: ['spec', 'integration'],
    message,
    fix,
    related: nameOf(seed),
  }),
];

function optionOne(datacenter: Datacenter, seed: Seed): readonly Finding[] {
  const shared = datacenter.spec.nodes.networks.find((text) =>
    seed.spec.nodes.networks.some((other) => overlaps(parseCidr(text), parseCidr(other))),
  );
  if (shared === undefined) return none;
  return report(
    datacenter,
    seed,
    `integration is I (only workers here), but seed ${seed.metadata.name} stands in the same network ${shared}`,
    'set integration to II',
  );
}

/** INT-8: with a seed at the location, traffic between workers and seed must not leave it. */
function optionTwo(ctx: PlanContext, datacenter: Datacenter, seed: Seed): readonly Finding[] {
  const addresses = ctx.gateways.get(seed.metadata.name)?.addresses ?? [];
  const leaves = addresses.length > 0 && addresses.every((address) => !isPrivate(address));
  const isInside = datacenter.spec.nodes.networks.every((text) => isPrivate(text.split('/')[0] ?? text));
  if (leaves && isInside)
    return report(
      datacenter,
      seed,
      `integration is II (traffic stays inside), but workers reach the gateway at the public address ${addresses.join(', ')}`,
      'use an internal load balancer or a private DNS view for the gateway, or set integration to I',
    );
  const elsewhere = ctx.model.datacenters.find(
    (other) =>
      other.spec.integration === 'II' &&
      other.spec.seed === datacenter.spec.seed &&
      other.metadata.name < datacenter.metadata.name &&
      providerOf(other) !== providerOf(datacenter),
  );
  if (elsewhere === undefined) return none;
  return report(
    datacenter,
    seed,
    `seed ${seed.metadata.name} cannot stand at ${elsewhere.metadata.name} (${providerOf(elsewhere)}) and here (${providerOf(datacenter)})`,
    'set integration to I where only workers run, or give this location a seed of its own',
  );
}

const providerOf = ({ spec }: Datacenter): string =>
  providerNames.find((name) => spec.provider[name] !== undefined) ?? '';

/** INT-7: a sample name in circulation is misspelt, and would become part of every kubeconfig. */
export const misspeltSeedRule: PlanRule = ({ model }) =>
  model.seeds
    .filter((seed) => (seed.spec.dnsName ?? seed.metadata.name).includes('opestack'))
    .map((seed) => {
      const name = seed.spec.dnsName ?? seed.metadata.name;
      return finding('CW-INTEGRATION', {
        resource: nameOf(seed),
        path: seed.spec.dnsName === undefined ? ['metadata', 'name'] : ['spec', 'dnsName'],
        message: `${name} is misspelt, as in a sample that is in circulation`,
        fix: `write ${name.replace('opestack', 'openstack')} before the first cluster is created`,
      });
    });
