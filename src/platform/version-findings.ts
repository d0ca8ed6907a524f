// Versions in the manifests that nobody has: told before anything is started with them.
import type { Finding } from '../model/index.ts';
import type { Cluster, Model } from '../model/schema/index.ts';
import type { Availability, KubernetesVersions } from '../programs/index.ts';
import { isManaged } from './cluster/cluster-input.ts';

interface Use {
  readonly resource: string;
  readonly path: readonly string[];
  readonly version: string;
}

/** Each version is asked about once, however many clusters have it. */
export async function versionFindings(versions: KubernetesVersions, { clusters }: Model): Promise<Finding[]> {
  const uses = clusters.filter(isManaged).flatMap(usesOf);
  const named = [...new Set(uses.map(({ version }) => version))];
  const asked = new Map(
    await Promise.all(named.map(async (version) => [version, await versions.availability(version)] as const)),
  );
  const wrong = uses.filter(({ version }) => asked.get(version)?.state !== 'available');
  if (wrong.length === 0) return [];
  const { items } = await versions.offered();
  const offered = items.slice(0, mostNamed).map(({ version }) => version);
  return wrong.map((use) => findingOf(use, asked.get(use.version) as Availability, offered));
}

/** More would hide what is said. */
const mostNamed = 6;

function usesOf({ metadata, spec }: Cluster): Use[] {
  const resource = `Cluster/${metadata.name}`;
  const kubelet = spec.nodes?.kubeletVersion;
  return [
    { resource, path: ['spec', 'kubernetesVersion'], version: spec.kubernetesVersion },
    ...(kubelet === undefined ? [] : [{ resource, path: ['spec', 'nodes', 'kubeletVersion'], version: kubelet }]),
  ];
}

function findingOf(
  { resource, path, version }: Use,
  { state, because }: Availability,
  offered: readonly string[],
): Finding {
  const choose = `choose one that can be had: ${offered.join(', ')}`;
  if (state === 'absent') {
    const message = `Kubernetes ${version} cannot be had: ${because}`;
    return { code: 'CW-VERSION-UNAVAILABLE', severity: 'error', resource, path, message, fix: choose };
  }
  return {
    code: 'CW-VERSION-UNVERIFIED',
    severity: 'warning',
    resource,
    path,
    message: `Kubernetes ${version} is not on this machine, and nobody could be asked whether it exists: ${because}`,
    fix: `${choose}; or see to it that its publishers can be reached`,
  };
}
