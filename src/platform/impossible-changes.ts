// What the manifests ask of a running cluster that it cannot follow: told before anything is touched.
import { readClusterState, refuseImpossible } from '../control-plane/index.ts';
import { CausewayError } from '../core/errors.ts';
import type { Finding } from '../model/index.ts';
import type { Cluster } from '../model/schema/index.ts';
import type { ClusterData } from '../runtime/platform-runtime.ts';
import { isManaged, type Planned } from './cluster/cluster-input.ts';

export async function impossibleChanges(data: ClusterData, { model, plan }: Planned): Promise<Finding[]> {
  const here = new Set(await data.clusters());
  const running = model.clusters.filter((cluster) => isManaged(cluster) && here.has(cluster.metadata.name));
  const findings = running.map((cluster) => {
    const endpoint = plan.endpoints[cluster.metadata.name];
    return endpoint === undefined ? [] : findingsOf(data, cluster, endpoint);
  });
  return (await Promise.all(findings)).flat();
}

async function findingsOf(
  data: ClusterData,
  cluster: Cluster,
  endpoint: Planned['plan']['endpoints'][string],
): Promise<Finding[]> {
  const { name } = cluster.metadata;
  const { kubernetesVersion } = cluster.spec;
  try {
    const state = await readClusterState(data.of(name));
    refuseImpossible({ cluster: name, endpoint, kubernetesVersion }, state);
    return [];
  } catch (error) {
    if (!(error instanceof CausewayError)) throw error;
    const field = error.code === 'CW-STRATEGY-CHANGE' ? 'exposeStrategy' : 'kubernetesVersion';
    const { code, message, fix } = error;
    return [{ code, severity: 'error', resource: `Cluster/${name}`, path: ['spec', field], message, fix }];
  }
}
