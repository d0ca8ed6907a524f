// Facts that are written both in the provider block and elsewhere must be the same facts.
import { contains, parseCidr, parseRange } from '../../core/ip.ts';
import type { Finding, Path } from '../../model/index.ts';
import type { Datacenter } from '../../model/schema/index.ts';
import { finding, nameOf, none, type PlanRule } from './rule.ts';

type Check = (datacenter: Datacenter) => readonly (Finding | undefined)[];

const wrong = (datacenter: Datacenter, path: Path, message: string, fix: string): Finding =>
  finding('CW-PROVIDER', { resource: nameOf(datacenter), path: ['spec', ...path], message, fix });

const isInAny = (network: string, networks: readonly string[]): boolean =>
  networks.some((outer) => contains(parseCidr(outer), parseCidr(network)));

export const providerRule: PlanRule = ({ model }) =>
  model.datacenters.flatMap((datacenter) =>
    checks.flatMap((check) => check(datacenter)).filter((problem) => problem !== undefined),
  );

/** AZ-2, AZ-3, AZ-7. */
const azure: Check = (datacenter) => {
  const { provider, nodes } = datacenter.spec;
  if (provider.azure === undefined) return none;
  const { subnetCIDR, location, regions, zones, availabilitySet } = provider.azure;
  const path = ['provider', 'azure'];
  return [
    isInAny(subnetCIDR, nodes.networks)
      ? undefined
      : wrong(
          datacenter,
          [...path, 'subnetCIDR'],
          `subnet ${subnetCIDR} is not part of nodes.networks (${nodes.networks.join(', ')})`,
          `add ${subnetCIDR} to nodes.networks`,
        ),
    regionProblem(datacenter, [...path, 'regions'], location, regions),
    zoneProblem(datacenter, [...path, 'zones'], zones),
    availabilitySet !== undefined && (zones?.length ?? 0) > 0
      ? wrong(
          datacenter,
          [...path, 'availabilitySet'],
          `availability set ${availabilitySet} and zones ${zones?.join(', ')} are set together, but Azure places a machine by one of them`,
          'remove availabilitySet (zones survive more), or remove zones where the region has none',
        )
      : undefined,
  ];
};

/** AWS-1, AWS-5. */
const aws: Check = (datacenter) => {
  const { aws: block } = datacenter.spec.provider;
  if (block === undefined) return none;
  const { region, partition = 'aws' } = block;
  const expected = region.startsWith('cn-') ? 'aws-cn' : region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
  return [
    partition === expected
      ? undefined
      : wrong(
          datacenter,
          ['provider', 'aws', 'partition'],
          `region ${region} belongs to partition ${expected}, not ${partition}`,
          `set partition to ${expected}`,
        ),
  ];
};

function regionProblem(datacenter: Datacenter, path: Path, region: string, regions: readonly string[] | undefined) {
  if (regions === undefined || regions.includes(region)) return undefined;
  return wrong(
    datacenter,
    path,
    `machines run in ${region}, which is not among the routed regions (${regions.join(', ')})`,
    `add ${region} to regions`,
  );
}

function zoneProblem(datacenter: Datacenter, path: Path, zones: readonly string[] | undefined): Finding | undefined {
  const unknown = datacenter.spec.nodes.zones?.find((zone) => zones !== undefined && !zones.includes(zone));
  if (unknown === undefined) return undefined;
  return wrong(
    datacenter,
    path,
    `zone ${unknown} of nodes.zones is not among the zones of the provider (${zones?.join(', ')})`,
    'make both lists the same',
  );
}

type OpenstackScope = NonNullable<Datacenter['spec']['provider']['openstack']>['management'];

/** OS-6, OS-8, OS-10. */
const openstack: Check = (datacenter) => {
  const { provider, nodes, tenants = [], loadBalancer } = datacenter.spec;
  const { openstack: block } = provider;
  if (block === undefined) return none;
  const own = ['provider', 'openstack', 'management'];
  return [
    ...(tenants.length === 0 ? scopeProblems(datacenter, own, block.management, nodes.networks, nodes.dnsServers) : []),
    ...tenants.flatMap((tenant, i) =>
      tenant.openstack === undefined
        ? []
        : scopeProblems(datacenter, ['tenants', i, 'openstack'], tenant.openstack, tenant.networks, undefined),
    ),
    block.loadBalancerService === false && loadBalancer?.type === 'cloud'
      ? wrong(
          datacenter,
          ['loadBalancer', 'type'],
          'type is cloud, but the service catalogue has no load balancer: Services stay pending',
          'use kubelb, metallb or cilium, or have Octavia installed',
        )
      : undefined,
  ];
};

function scopeProblems(
  datacenter: Datacenter,
  path: Path,
  { network, dnsServers, availabilityZones }: OpenstackScope,
  networks: readonly string[],
  servers: readonly string[] | undefined,
): (Finding | undefined)[] {
  const isSame = servers === undefined || [...servers].sort().join() === [...dnsServers].sort().join();
  const outside = network.dhcpRange !== undefined && !contains(parseCidr(network.cidr), parseRange(network.dhcpRange));
  return [
    isInAny(network.cidr, networks)
      ? undefined
      : wrong(
          datacenter,
          [...path, 'network', 'cidr'],
          `network ${network.name} is ${network.cidr}, but the workers are in ${networks.join(', ')}`,
          'make both say the same network',
        ),
    outside
      ? wrong(
          datacenter,
          [...path, 'network', 'dhcpRange'],
          `DHCP range ${network.dhcpRange} is not inside ${network.cidr}`,
          `choose a range inside ${network.cidr}`,
        )
      : undefined,
    isSame
      ? undefined
      : wrong(
          datacenter,
          [...path, 'dnsServers'],
          `the network hands out DNS servers ${dnsServers.join(', ')}, nodes.dnsServers are ${servers?.join(', ')}`,
          'make both lists the same',
        ),
    zoneProblem(datacenter, [...path, 'availabilityZones'], availabilityZones),
  ];
}

const checks: readonly Check[] = [azure, aws, openstack];

/** VS-3. */
export const outdatedToolRule: PlanRule = ({ model }) =>
  model.datacenters
    .filter(({ spec }) => spec.provider.vsphere?.permissionsByTerraform === true)
    .map((datacenter) =>
      finding('CW-TOOL-OUTDATED', {
        resource: nameOf(datacenter),
        path: ['spec', 'provider', 'vsphere', 'permissionsByTerraform'],
        message: 'permissions in vSphere come from a terraform module that is marked outdated',
        fix: 'create the roles from the current list of privileges and set permissionsByTerraform to false',
      }),
    );
