// From the plan to what the worker side of a cluster is built from.

import type { ControlPlaneInput, NodeKind } from '../../control-plane/index.ts';
import type { Cluster } from '../../model/schema/index.ts';
import { clusterPlace } from '../../plan/index.ts';
import type { Plan } from '../../plan/schema/index.ts';
import type { DesiredWorkers } from '../../runtime/platform-runtime.ts';
import { gatewayAddresses } from './access.ts';
import type { Planned } from './cluster-input.ts';

const defaultNodes = 2;

export function desiredWorkers(
  planned: Planned,
  cluster: Cluster,
  { endpoint, konnectivity, kubernetesVersion, network }: ControlPlaneInput,
  kind: NodeKind,
): DesiredWorkers {
  const { model, plan } = planned;
  const name = cluster.metadata.name;
  const datacenter = model.datacenters.find(({ metadata }) => metadata.name === endpoint.datacenter);
  const [gatewayAddress] = gatewayAddresses(plan, endpoint.seed);
  const proxy = proxyOf(plan, name);
  return {
    cluster: name,
    nodes: cluster.spec.nodes?.count ?? defaultNodes,
    kubernetesVersion: cluster.spec.nodes?.kubeletVersion ?? kubernetesVersion,
    endpoint,
    konnectivity,
    reachability: plan.proxy.workers[name] as DesiredWorkers['reachability'],
    networks: datacenter?.spec.nodes.networks ?? [],
    pods: network.pods,
    ...(gatewayAddress === undefined ? {} : { gatewayAddress }),
    ...(proxy === undefined ? {} : { proxy }),
    ...(kind === 'real' ? { planned } : {}),
  };
}

/** The proxy between workers and gateway, where the plan sends them through one. */
export function proxyOf(plan: Plan, cluster: string): DesiredWorkers['proxy'] {
  const ways = plan.proxy.workers[cluster];
  const through = [ways?.konnectivityAgent, ways?.nodeAgent].some((way) => way?.by.startsWith('proxy-'));
  const place = through ? plan.proxy.places[clusterPlace(cluster, 'nodes')] : undefined;
  const url = place?.https ?? place?.http;
  return place === undefined || url === undefined ? undefined : { url, credentials: place.credentials };
}
