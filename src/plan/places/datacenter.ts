// A datacenter: its workers, the interface that machines are made with, and what balances load there.
import type { Datacenter } from '../../model/schema/index.ts';
import type { PlanContext } from '../context.ts';
import type { Place } from '../schema/index.ts';
import { datacenterPlace } from './ids.ts';
import { loadBalancerPlaces } from './load-balancer.ts';
import { placeOf } from './place.ts';
import { providerApiOf } from './provider-api.ts';

export function datacenterPlaces(ctx: PlanContext, datacenter: Datacenter): Place[] {
  const { spec } = datacenter;
  const name = datacenter.metadata.name;
  const at = (part: Parameters<typeof datacenterPlace>[1]): string => datacenterPlace(name, part);
  const tenants = (spec.tenants ?? []).flatMap((tenant) => tenant.networks);
  const api = providerApiOf(ctx, datacenter);
  return [
    placeOf(at('workers'), `Workers in datacenter ${name}`, { networks: [...spec.nodes.networks, ...tenants] }),
    ...(api === undefined
      ? []
      : [placeOf(at('provider-api'), `${api.title} of datacenter ${name}`, { hosts: api.hosts })]),
    ...loadBalancerPlaces(`datacenter ${name}`, spec.loadBalancer, { routers: at('routers'), kubelb: at('kubelb') }),
  ];
}
