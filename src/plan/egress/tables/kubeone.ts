// What KubeOne fetches when it builds the management clusters. It is the recommended way, so it holds until another is chosen.
import type { Download, Facts } from '../download.ts';

const nodes = ['seed', 'master'] as const;
const usesKubeOne = (facts: Facts): boolean => (facts.seed?.provisioning?.tool ?? 'kubeone') === 'kubeone';

const retired = (host: string, paths: readonly string[], reason: string, by: readonly string[]): Download => ({
  host,
  paths,
  component: 'KubeOne',
  reason,
  requirement: 'EGR-11',
  at: nodes,
  when: usesKubeOne,
  retired: by,
});

export const kubeOne: readonly Download[] = [
  {
    host: 'pkgs.k8s.io',
    paths: ['/core:/stable:/'],
    component: 'KubeOne',
    reason: 'kubeadm, kubelet and kubectl as packages.',
    requirement: 'EGR-11',
    at: nodes,
    when: usesKubeOne,
  },
  {
    host: 'download.docker.com',
    paths: ['/linux/'],
    component: 'KubeOne',
    reason: 'containerd as a package.',
    requirement: 'EGR-11',
    at: nodes,
    when: usesKubeOne,
  },
  {
    host: 'github.com',
    paths: ['/containernetworking/plugins/releases/', '/kubernetes-sigs/cri-tools/releases/'],
    component: 'KubeOne',
    reason: 'Network plugins and crictl, where they are not packages (Flatcar).',
    requirement: 'EGR-11',
    at: nodes,
    when: usesKubeOne,
  },
  {
    host: 'dl.k8s.io',
    component: 'KubeOne',
    reason: 'Kubernetes binaries, where they are not packages (Flatcar).',
    requirement: 'EGR-11',
    at: nodes,
    when: usesKubeOne,
  },
  retired('packages.cloud.google.com', ['/apt/', '/yum/'], 'Kubernetes packages moved to the community.', [
    'pkgs.k8s.io',
  ]),
  retired('apt.kubernetes.io', [], 'No longer serves packages.', ['pkgs.k8s.io']),
  retired('storage.googleapis.com', ['/kubernetes-release/release/'], 'Kubernetes binaries left this bucket.', [
    'dl.k8s.io',
  ]),
  retired('raw.githubusercontent.com', [], 'Manifests are part of KubeOne now and no longer fetched.', []),
];
