// Versions that fit each other, and that are known.
import type { ClusterContext } from '../context.ts';
import { type ClusterRule, finding, nameOf, none, type PlanRule } from './rule.ts';

/** KKP release that the requirements catalogue was written for. */
export const catalogueRelease = '2.31';
/** Kubernetes minors that the allow-list and the images are known for. */
export const supportedMinors = { oldest: 33, newest: 36 } as const;
const oldestKubelet = 3;

const minorOf = (version: string): number => Number(version.split('.')[1]);
const numbers = (version: string): number[] => version.split('.').map(Number);

/** Negative: `a` is older. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  for (let i = 0; i < 3; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

export const skewRule: ClusterRule = ({ cluster }) => {
  const { kubernetesVersion: server, nodes } = cluster.spec;
  const kubelet = nodes?.kubeletVersion;
  if (kubelet === undefined) return none;
  const report = (message: string, fix: string) => [
    finding('CW-VERSION-SKEW', { resource: nameOf(cluster), path: ['spec', 'nodes', 'kubeletVersion'], message, fix }),
  ];
  if (compareVersions(kubelet, server) > 0)
    return report(
      `kubelets ${kubelet} are newer than the control plane ${server}`,
      `set nodes.kubeletVersion to ${server} or older, or upgrade the control plane first`,
    );
  const skew = minorOf(server) - minorOf(kubelet);
  if (skew <= oldestKubelet) return none;
  return report(
    `kubelets ${kubelet} are ${skew} minor versions older than the control plane ${server}; ${oldestKubelet} are allowed`,
    `upgrade the nodes to 1.${minorOf(server) - oldestKubelet} or newer first`,
  );
};

export const supportedRule: ClusterRule = (c) =>
  unsupported(c, ['kubernetesVersion'], c.cluster.spec.kubernetesVersion);

function unsupported({ cluster }: ClusterContext, path: readonly string[], version: string) {
  const { oldest, newest } = supportedMinors;
  const minor = minorOf(version);
  if (minor >= oldest && minor <= newest) return none;
  return [
    finding('CW-VERSION-UNSUPPORTED', {
      resource: nameOf(cluster),
      path: ['spec', ...path],
      message: `Kubernetes ${version} is ${minor < oldest ? 'out of support' : 'not known yet'}; known are 1.${oldest} to 1.${newest}`,
      fix:
        minor < oldest
          ? `upgrade to 1.${oldest} or newer, one minor version at a time`
          : `use 1.${newest}, or compare the allow-list with the release notes`,
    }),
  ];
}

/** DOC-1. */
export const catalogueRule: PlanRule = ({ model: { platform } }) => {
  const { release } = platform.spec;
  if (release === undefined || release.split('.').slice(0, 2).join('.') === catalogueRelease) return none;
  const age = compareVersions(release, catalogueRelease) < 0 ? 'older' : 'newer';
  return [
    finding('CW-CATALOGUE-RELEASE', {
      resource: nameOf(platform),
      path: ['spec', 'release'],
      message: `release ${release} is ${age} than ${catalogueRelease}, which allow-list and provider requirements are written for`,
      fix: `install ${catalogueRelease}, or compare the allow-list with the documentation of ${release}`,
    }),
  ];
};

const retired: Readonly<Record<string, string>> = {
  'centos-7': 'CentOS 7 ended in 2024; use rocky or rhel',
  'container-linux': 'Container Linux ended in 2020; use flatcar',
};

/** EGR-8, EGR-9. */
export const retiredSystemRule: PlanRule = ({ model }) =>
  model.datacenters.flatMap((datacenter) => retiredSystems(nameOf(datacenter), datacenter.spec.nodes.operatingSystems));
export const clusterRetiredSystemRule: ClusterRule = ({ cluster }) =>
  retiredSystems(nameOf(cluster), cluster.spec.nodes?.operatingSystems);

const retiredSystems = (resource: string, systems: readonly string[] | undefined) =>
  (systems ?? []).flatMap((system, i) => {
    const [message, fix] = retired[system]?.split('; ') ?? [];
    if (message === undefined || fix === undefined) return none;
    return [finding('CW-OS-RETIRED', { resource, path: ['spec', 'nodes', 'operatingSystems', i], message, fix })];
  });
