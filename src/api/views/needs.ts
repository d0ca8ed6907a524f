// What one cluster needs of others: flows, names, certificates, addresses.

import { getOrAdd } from '../../core/collections.ts';
import { memo } from '../../core/memo.ts';
import type { Model } from '../../model/schema/index.ts';
import { clusterOfUser } from '../../plan/addresses/index.ts';
import type { Certificate, DnsRecord, Flow, Plan } from '../../plan/schema/index.ts';
import type { DryRun } from '../schema/resources.ts';
import { certificateRowOf, dnsRowOf, flowRowOf, openedBy } from './network.ts';

export type Needs = DryRun['needs'];

export interface PlannedModel {
  readonly plan: Plan;
  readonly model: Model | undefined;
}

export function needsOf({ plan, model }: PlannedModel, cluster: string): Needs {
  const own = byCluster(plan).get(cluster);
  return {
    flows: (own?.flows ?? []).map((flow) => ({ ...flowRowOf(plan, flow), ...openedBy(model) })),
    dns: (own?.dns ?? []).map(dnsRowOf),
    certificates: (own?.certificates ?? []).map(certificateRowOf),
    addresses: own?.addresses ?? [],
  };
}

interface Own {
  readonly flows: Flow[];
  readonly dns: DnsRecord[];
  readonly certificates: Certificate[];
  readonly addresses: Needs['addresses'][number][];
}

/** Once for each plan, so that asking for one of ten thousand clusters costs nothing. */
const byCluster = memo((plan: Plan): ReadonlyMap<string, Own> => {
  const all = new Map<string, Own>();
  const of = (cluster: string): Own =>
    getOrAdd(all, cluster, () => ({ flows: [], dns: [], certificates: [], addresses: [] }));
  for (const flow of plan.flows) for (const name of flow.clusters) of(name).flows.push(flow);
  for (const record of plan.dns.records) for (const name of record.clusters) of(name).dns.push(record);
  for (const certificate of plan.certificates)
    for (const name of certificate.clusters) of(name).certificates.push(certificate);
  addAddresses(plan, of);
  return all;
});

function addAddresses(plan: Plan, of: (cluster: string) => Own): void {
  for (const { pool, allocations } of plan.addresses.pools)
    for (const { for: user, addresses, locked } of allocations) {
      const cluster = clusterOfUser(user);
      if (cluster !== undefined) of(cluster).addresses.push({ pool, addresses, locked });
    }
  for (const { seed, allocations } of plan.addresses.nodePorts)
    for (const { cluster, apiServer, konnectivity, locked } of allocations)
      of(cluster).addresses.push({
        pool: `node ports of ${seed}`,
        addresses: [String(apiServer), String(konnectivity)],
        locked,
      });
}
