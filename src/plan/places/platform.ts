// The master cluster, and the users and machines that reach it.
import type { Platform } from '../../model/schema/index.ts';
import type { PlanContext, Target } from '../context.ts';
import type { Place } from '../schema/index.ts';
import * as id from './ids.ts';
import { placeOf } from './place.ts';
import { remoteOfEndpoint } from './remote.ts';

export function platformPlaces(ctx: PlanContext): Place[] {
  const { users, master, access } = ctx.model.platform.spec;
  return [
    placeOf(id.users, 'Users', users),
    placeOf(id.internet, 'Internet', { networks: ['0.0.0.0/0', '::/0'] }),
    placeOf(id.installer, 'Installer', hostAccess(access?.installer)),
    ...(access?.bastion === undefined ? [] : [placeOf(id.bastion, 'Bastion', hostAccess(access.bastion))]),
    ...dnsPlaces(ctx),
    placeOf(id.masterNodes, 'Master nodes', { networks: master.nodes.networks }),
    placeOf(id.masterApi, 'Kubernetes API of the master', apiAddresses(master)),
    placeOf(id.masterIngress, 'Ingress of the platform', targetAddresses(ctx.ingress)),
  ];
}

type Access = NonNullable<Platform['spec']['access']>;
/** Networks are where connections come from; the host alone will do where nothing else is said. */
const hostAccess = (host: Access['installer'] | Access['bastion']) =>
  host === undefined ? {} : { networks: host.networks ?? [], hosts: [host.host] };

type Management = Pick<Platform['spec']['master'], 'api' | 'nodes'>;
/** Without a load balancer clients also meet the control-plane nodes themselves. */
export const apiAddresses = ({ api, nodes }: Management) => ({
  hosts: [api.host],
  networks: api.loadBalancer === false ? (nodes.controlPlane ?? []) : [],
});

export const targetAddresses = (target: Target) => ({
  networks: target.addresses,
  hosts: target.hostname === undefined ? [] : [target.hostname],
});

function dnsPlaces({ model }: PlanContext): Place[] {
  const { dns, certificates } = model.platform.spec;
  const nameserver = certificates?.acmeDNS01?.nameserver;
  return [
    placeOf(id.resolvers, 'DNS resolvers', { networks: dns?.servers ?? [] }),
    placeOf(id.authoritative, 'DNS servers of the zone', {
      hosts: [...(dns?.authoritative ?? []), ...(nameserver === undefined ? [] : [remoteOfEndpoint(nameserver).host])],
    }),
  ];
}
