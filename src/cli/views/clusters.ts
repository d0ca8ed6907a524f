import type { Endpoint, Plan } from '../../plan/schema/index.ts';
import { table } from './table.ts';

export function clusterTable(plan: Plan, wide: boolean): string {
  const header = [
    'CLUSTER',
    'SEED',
    'DATACENTER',
    'STRATEGY',
    'ENTRY',
    'API SERVER',
    'KONNECTIVITY',
    'TUNNEL',
    ...(wide ? ['KUBECONFIG', 'STRATEGY FROM'] : []),
  ];
  return table(
    header,
    Object.values(plan.endpoints).map((endpoint) => rowOf(plan, endpoint, wide)),
  );
}

function rowOf(plan: Plan, endpoint: Endpoint, wide: boolean): string[] {
  const from = plan.settings.clusters[endpoint.cluster]?.exposeStrategy?.from ?? '';
  return [
    endpoint.cluster,
    endpoint.seed,
    endpoint.datacenter,
    endpoint.strategy,
    endpoint.strategy === 'Tunneling' ? endpoint.entry : '-',
    dialed(endpoint.apiServer),
    dialed(endpoint.konnectivity),
    endpoint.tunnel === undefined ? '-' : dialed(endpoint.tunnel),
    ...(wide ? [endpoint.kubeconfigServer ?? 'pending', from] : []),
  ];
}

const dialed = (target: { readonly host: string | null; readonly port: number | null }): string =>
  target.host === null || target.port === null ? 'pending' : `${target.host}:${target.port}`;
