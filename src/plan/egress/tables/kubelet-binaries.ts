// What a machine fetches before its kubelet runs.
import type { Download } from '../download.ts';

/** Only the version in use, so that a changed version changes exactly these paths. */
const kubeletPaths = (versions: readonly string[]): string[] =>
  versions.flatMap((version) => {
    const path = `/v${version}/bin/linux/amd64/kubelet`;
    return [path, `${path}.sha256`];
  });

export const kubeletBinaries: readonly Download[] = [
  {
    host: 'dl.k8s.io',
    paths: (facts) => kubeletPaths(facts.versions),
    versioned: true,
    component: 'kubelet',
    reason: 'The kubelet of each version in use, with its checksum.',
    requirement: 'EGR-1',
    at: ['workers'],
  },
  {
    host: 'storage.googleapis.com',
    paths: ['/kubernetes-release/release/'],
    component: 'kubelet',
    reason: 'Kubernetes binaries left this bucket.',
    requirement: 'EGR-1',
    at: ['workers'],
    retired: ['dl.k8s.io'],
  },
  {
    host: 'github.com',
    paths: ['/containernetworking/plugins/releases/'],
    component: 'CNI plugins',
    reason: 'The standard network plugins that every CNI builds on.',
    requirement: 'EGR-2',
    at: ['workers'],
  },
  {
    host: 'github.com',
    paths: ['/kubernetes-sigs/cri-tools/releases/'],
    component: 'cri-tools',
    reason: 'crictl, which node setup uses to talk to containerd.',
    requirement: 'EGR-2',
    at: ['workers'],
  },
  {
    host: 'raw.githubusercontent.com',
    paths: ['/kubermatic/machine-controller/'],
    component: 'health monitor',
    reason: 'The script is part of the machine configuration now and no longer fetched.',
    requirement: 'EGR-3',
    at: ['workers'],
    retired: [],
  },
];
