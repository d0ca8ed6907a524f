// Images that run on every worker, and those that the older list names.
import { type Download, images } from '../download.ts';

const workers = ['workers'] as const;

export const workerImages: readonly Download[] = [
  images('registry.k8s.io', ['pause'], {
    component: 'pause',
    reason: 'Every pod starts with it.',
    requirement: 'EGR-5',
    at: workers,
  }),
  images('registry.k8s.io', ['dns/k8s-dns-node-cache', 'coredns/coredns'], {
    component: 'cluster DNS',
    reason: 'Name resolution inside the cluster, and its cache on each node.',
    requirement: 'EGR-4',
    at: workers,
  }),
  images('registry.k8s.io', ['kube-proxy'], {
    component: 'kube-proxy',
    reason: 'Service addresses on each node.',
    requirement: 'EGR-4',
    at: workers,
  }),
  images('registry.k8s.io', ['kas-network-proxy/proxy-agent'], {
    component: 'konnectivity agent',
    reason: 'The way back from the control plane to the workers.',
    requirement: 'EGR-4',
    at: workers,
  }),
  images('registry.k8s.io', ['metrics-server/metrics-server', 'autoscaling/addon-resizer'], {
    component: 'metrics server',
    reason: 'Usage of nodes and pods.',
    requirement: 'EGR-4',
    at: workers,
  }),
  images('docker.io', ['fluent/fluent-bit'], {
    component: 'fluent-bit',
    reason: 'Log shipper.',
    requirement: 'EGR-6',
    at: workers,
  }),
  images('quay.io', ['kubermatic/util', 'kubermatic/user-ssh-keys-agent'], {
    component: 'KKP node components',
    reason: 'Helper container, and SSH keys of the users.',
    requirement: 'EGR-7',
    at: workers,
  }),
  images('quay.io', ['prometheus/node-exporter'], {
    component: 'node-exporter',
    reason: 'Metrics of the nodes.',
    requirement: 'EGR-7',
    at: workers,
  }),
  images('quay.io', ['brancz/kube-rbac-proxy'], {
    component: 'kube-rbac-proxy',
    reason: 'Guards the metrics of the nodes.',
    requirement: 'EGR-7',
    at: workers,
  }),
  images('docker.io', ['grafana/agent', 'grafana/promtail'], {
    component: 'user-cluster monitoring agents',
    reason: 'Metrics and logs of the user clusters.',
    requirement: 'EGR-6',
    at: workers,
    when: (facts) => facts.monitored,
  }),
  images('docker.io', ['envoyproxy/envoy-distroless'], {
    component: 'node agent (Envoy)',
    reason: 'Stock Envoy serves kubernetes.default on each node.',
    requirement: 'EGR-6',
    at: workers,
    when: (facts) => facts.envoyAgent,
  }),
  images('quay.io', ['kubermatic/network-interface-manager'], {
    component: 'node agent (Envoy)',
    reason: 'Keeps the address of the node agent on its interface.',
    requirement: 'EGR-7',
    at: workers,
    when: (facts) => facts.envoyAgent,
  }),
];

export const retiredWorkerImages: readonly Download[] = [
  images('gcr.io', ['google_containers/hyperkube-amd64'], {
    component: 'hyperkube',
    reason: 'Only Container Linux needed it; neither exists any more.',
    requirement: 'EGR-4',
    at: workers,
    retired: ['dl.k8s.io'],
  }),
  images('gcr.io', ['google_containers/k8s-dns-node-cache'], {
    component: 'cluster DNS',
    reason: 'The image moved to the community registry.',
    requirement: 'EGR-4',
    at: workers,
    retired: ['registry.k8s.io'],
  }),
  images('k8s.gcr.io', ['pause'], {
    component: 'pause',
    reason: 'The registry is frozen.',
    requirement: 'EGR-5',
    at: workers,
    retired: ['registry.k8s.io'],
  }),
  images('docker.io', ['calico/node'], {
    component: 'Calico',
    reason: 'Calico is pulled from its own registry.',
    requirement: 'EGR-6',
    at: workers,
    retired: ['quay.io'],
  }),
  images('docker.io', ['coredns/coredns'], {
    component: 'cluster DNS',
    reason: 'CoreDNS is pulled from the community registry.',
    requirement: 'EGR-6',
    at: workers,
    retired: ['registry.k8s.io'],
  }),
  images('quay.io', ['coreos/flannel'], {
    component: 'Flannel',
    reason: 'Flannel is published under its own name on docker.io.',
    requirement: 'EGR-7',
    at: workers,
    retired: ['docker.io'],
  }),
  images('quay.io', ['coreos/kube-rbac-proxy'], {
    component: 'kube-rbac-proxy',
    reason: 'The image moved to quay.io/brancz.',
    requirement: 'EGR-7',
    at: workers,
    retired: ['quay.io'],
  }),
  images('quay.io', ['coreos/container-linux-update-operator'], {
    component: 'Container Linux update operator',
    reason: 'It went with Container Linux.',
    requirement: 'EGR-7',
    at: workers,
    retired: [],
  }),
];
