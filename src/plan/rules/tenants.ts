// Separation of tenants: own networks, own users, own credentials.
import { overlaps, parseCidr } from '../../core/ip.ts';
import type { Finding } from '../../model/index.ts';
import type { Datacenter } from '../../model/schema/index.ts';
import { finding, nameOf, none, type PlanRule } from './rule.ts';

type Tenant = NonNullable<Datacenter['spec']['tenants']>[number];
const eachDatacenter =
  (rule: (datacenter: Datacenter, tenants: readonly Tenant[]) => readonly Finding[]): PlanRule =>
  ({ model }) =>
    model.datacenters.flatMap((datacenter) =>
      datacenter.spec.tenants === undefined ? none : rule(datacenter, datacenter.spec.tenants),
    );

interface Owned {
  readonly owner: string;
  readonly text: string;
  readonly path: readonly (string | number)[];
}

/** VS-4, OS-6. Tenants of one datacenter are few; comparing each with each names both sides. */
export const tenantOverlapRule: PlanRule = eachDatacenter((datacenter, tenants) => {
  const management = datacenter.spec.provider.openstack?.management.network.cidr;
  const networks: Owned[] = [
    ...(management === undefined ? [] : [{ owner: 'the management components', text: management, path: [] }]),
    ...tenants.flatMap((tenant, i) =>
      tenant.networks.map((text, j) => ({
        owner: `tenant ${tenant.name}`,
        text,
        path: ['spec', 'tenants', i, 'networks', j],
      })),
    ),
  ];
  return networks.flatMap((network, i) =>
    networks
      .slice(0, i)
      .filter((other) => other.owner !== network.owner && overlaps(parseCidr(other.text), parseCidr(network.text)))
      .map((other) =>
        finding('CW-TENANT-OVERLAP', {
          resource: nameOf(datacenter),
          path: network.path,
          message: `network ${network.text} of ${network.owner} overlaps ${other.text} of ${other.owner}`,
          fix: `give ${network.owner} a network of its own`,
        }),
      ),
  );
});

/** VS-4, OS-9: one user, credential and project for each tenant and one for the management components. */
export const tenantSharedRule: PlanRule = eachDatacenter((datacenter, tenants) => [
  ...sharedAmong(datacenter, 'user', usersOf(datacenter, tenants)),
  ...sharedAmong(datacenter, 'credential', credentialsOf(datacenter, tenants)),
  ...sharedAmong(datacenter, 'project', projectsOf(datacenter, tenants)),
]);

function usersOf({ spec }: Datacenter, tenants: readonly Tenant[]): Owned[] {
  const management = spec.provider.vsphere?.user;
  return [
    ...(management === undefined ? [] : [{ owner: 'the management components', text: management, path: [] }]),
    ...tenants.flatMap((tenant, i) => owned(tenant, i, 'user', tenant.user ?? management)),
  ];
}

function credentialsOf({ spec }: Datacenter, tenants: readonly Tenant[]): Owned[] {
  const { vsphere, openstack } = spec.provider;
  const management = [keyOf(vsphere?.credentials), keyOf(openstack?.management.credentials)].filter(
    (key) => key !== undefined,
  );
  return [
    ...management.map((text) => ({ owner: 'the management components', text, path: [] })),
    ...tenants.flatMap((tenant, i) => [
      ...owned(tenant, i, 'credentials', keyOf(tenant.credentials)),
      ...owned(tenant, i, 'openstack', keyOf(tenant.openstack?.credentials)),
    ]),
  ];
}

function projectsOf({ spec }: Datacenter, tenants: readonly Tenant[]): Owned[] {
  const management = spec.provider.openstack?.management.projectID;
  return [
    ...(management === undefined ? [] : [{ owner: 'the management components', text: management, path: [] }]),
    ...tenants.flatMap((tenant, i) => owned(tenant, i, 'openstack', tenant.openstack?.projectID)),
  ];
}

const owned = (tenant: Tenant, index: number, field: string, text: string | undefined): Owned[] =>
  text === undefined ? [] : [{ owner: `tenant ${tenant.name}`, text, path: ['spec', 'tenants', index, field] }];

/** The same reference is the same secret. It names where the secret is, never what it is. */
const keyOf = (reference: object | undefined): string | undefined =>
  reference === undefined ? undefined : Object.values(flat(reference)).join('/');
function flat(value: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      inner !== null && typeof inner === 'object'
        ? Object.entries(flat(inner)).map(([k, v]) => [`${key}.${k}`, v])
        : [[key, String(inner)]],
    ),
  );
}

function sharedAmong(datacenter: Datacenter, noun: string, values: readonly Owned[]): Finding[] {
  const first = new Map<string, Owned>();
  return values.flatMap((value) => {
    const other = first.get(value.text);
    if (other === undefined) first.set(value.text, value);
    if (other === undefined || other.owner === value.owner) return [];
    return [
      finding('CW-TENANT-SHARED', {
        resource: nameOf(datacenter),
        path: value.path,
        message: `${value.owner} and ${other.owner} share the ${noun} ${value.text}`,
        fix: `create a ${noun} of its own for ${value.owner}`,
      }),
    ];
  });
}
