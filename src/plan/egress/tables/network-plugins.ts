// Images of the network plugin and of what announces virtual IPs.
import { type Download, type Facts, images } from '../download.ts';

const usesCni =
  (...names: readonly string[]) =>
  (facts: Facts): boolean =>
    facts.cni !== undefined && names.includes(facts.cni);

const balances =
  (type: string) =>
  (facts: Facts): boolean =>
    facts.loadBalancer === type;

const kubelb = {
  component: 'KubeLB',
  reason: 'Hands Services of the cluster to the hub.',
  requirement: 'EGR-7',
  at: ['workers', 'seed'],
} as const;

export const networkPlugins: readonly Download[] = [
  images('quay.io', ['cilium/cilium', 'cilium/cilium-envoy', 'cilium/operator-generic', 'cilium/certgen'], {
    component: 'Cilium',
    reason: 'Network plugin of the cluster.',
    requirement: 'EGR-7',
    at: ['workers'],
    when: usesCni('cilium'),
  }),
  images('quay.io', ['calico/cni', 'calico/node', 'calico/kube-controllers'], {
    component: 'Calico',
    reason: 'Network plugin of the cluster, or its policy half.',
    requirement: 'EGR-7',
    at: ['workers'],
    when: usesCni('calico', 'canal'),
  }),
  images('docker.io', ['flannel/flannel'], {
    component: 'Flannel',
    reason: 'Network plugin of the cluster, or its overlay half.',
    requirement: 'EGR-6',
    at: ['workers'],
    when: usesCni('flannel', 'canal'),
  }),
  images('quay.io', ['metallb/controller', 'metallb/speaker', 'frrouting/frr'], {
    component: 'MetalLB',
    reason: 'Announces virtual IPs.',
    requirement: 'EGR-7',
    at: ['workers', 'seed'],
    when: balances('metallb'),
  }),
  images('quay.io', ['kubermatic/kubelb-ccm'], {
    ...kubelb,
    when: (facts) => balances('kubelb')(facts) && facts.platform.edition !== 'EE',
  }),
  images('quay.io', ['kubermatic/kubelb-ccm-ee'], {
    ...kubelb,
    when: (facts) => balances('kubelb')(facts) && facts.platform.edition === 'EE',
  }),
];
