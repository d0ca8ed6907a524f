// Images that run on master and seeds.
import { usesGatewayApi } from '../../../model/index.ts';
import { type Download, type Facts, images } from '../download.ts';

const seed = ['seed'] as const;
const master = ['master'] as const;
const both = ['master', 'seed'] as const;
const isEnterprise = (facts: Facts): boolean => facts.platform.edition === 'EE';
const monitorsUserClusters = (facts: Facts): boolean => facts.monitored;

const editions: readonly Download[] = [
  images('quay.io', ['kubermatic/kubermatic', 'kubermatic/dashboard'], {
    component: 'KKP',
    reason: 'Operator, API and dashboard.',
    requirement: 'EGR-7',
    at: both,
    when: (facts) => !isEnterprise(facts),
  }),
  images('quay.io', ['kubermatic/kubermatic-ee', 'kubermatic/dashboard-ee', 'kubermatic/metering'], {
    component: 'KKP',
    reason: 'Operator, API and dashboard of the Enterprise edition, with the pull secret.',
    requirement: 'INS-2',
    at: both,
    when: isEnterprise,
  }),
];

const controlPlanes: readonly Download[] = [
  images('registry.k8s.io', ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'], {
    component: 'control planes',
    reason: 'Control planes of the user clusters.',
    requirement: 'EGR-4',
    at: seed,
  }),
  images('registry.k8s.io', ['kas-network-proxy/proxy-server'], {
    component: 'konnectivity server',
    reason: 'One beside each API server.',
    requirement: 'EGR-4',
    at: seed,
  }),
  images(
    'quay.io',
    ['addons', 'etcd-launcher', 'http-prober', 'nodeport-proxy'].map((name) => `kubermatic/${name}`),
    {
      component: 'KKP seed components',
      reason: 'Entry of the seed, etcd and addons of the user clusters.',
      requirement: 'EGR-7',
      at: seed,
    },
  ),
  images('quay.io', ['kubermatic/machine-controller', 'kubermatic/operating-system-manager'], {
    component: 'machine controllers',
    reason: 'Machines of the user clusters.',
    requirement: 'EGR-7',
    at: seed,
  }),
  images('docker.io', ['envoyproxy/envoy', 'envoyproxy/envoy-distroless'], {
    component: 'gateway (Envoy)',
    reason: 'Envoy behind nodeport-proxy.',
    requirement: 'EGR-6',
    at: seed,
  }),
];

const services: readonly Download[] = [
  images('registry.k8s.io', ['ingress-nginx/controller', 'ingress-nginx/kube-webhook-certgen'], {
    component: 'ingress',
    reason: 'Entry to dashboard and API up to release 2.30.',
    requirement: 'EGR-4',
    at: master,
    when: (facts) => !usesGatewayApi(facts.platform),
  }),
  images('docker.io', ['envoyproxy/gateway', 'envoyproxy/envoy'], {
    component: 'ingress',
    reason: 'Entry to dashboard and API from release 2.31 on.',
    requirement: 'EGR-6',
    at: master,
    when: (facts) => usesGatewayApi(facts.platform),
  }),
  images('ghcr.io', ['dexidp/dex'], {
    component: 'Dex',
    reason: 'Identity broker.',
    requirement: 'PRX-1',
    at: master,
    when: (facts) => facts.platform.authentication?.external === undefined,
  }),
  images(
    'quay.io',
    ['controller', 'webhook', 'cainjector'].map((part) => `jetstack/cert-manager-${part}`),
    {
      component: 'cert-manager',
      reason: 'Certificates.',
      requirement: 'EGR-7',
      at: both,
    },
  ),
  images('quay.io', ['oauth2-proxy/oauth2-proxy'], {
    component: 'identity-aware proxy',
    reason: 'Guards the monitoring pages.',
    requirement: 'EGR-7',
    at: both,
  }),
  images(
    'quay.io',
    ['alertmanager', 'blackbox-exporter', 'node-exporter', 'prometheus'].map((name) => `prometheus/${name}`),
    {
      component: 'Prometheus',
      reason: 'Metrics and alerts of the management clusters.',
      requirement: 'EGR-7',
      at: both,
    },
  ),
  images('registry.k8s.io', ['kube-state-metrics/kube-state-metrics'], {
    component: 'Prometheus',
    reason: 'Metrics about Kubernetes objects.',
    requirement: 'EGR-4',
    at: both,
  }),
  images('docker.io', ['grafana/grafana', 'grafana/loki', 'grafana/promtail'], {
    component: 'Grafana and Loki',
    reason: 'Dashboards and logs of the management clusters.',
    requirement: 'EGR-6',
    at: both,
  }),
  images('quay.io', ['cortexproject/cortex', 'kubermatic/alertmanager-authorization-server'], {
    component: 'user-cluster monitoring',
    reason: 'Metrics and alerts of the user clusters.',
    requirement: 'EGR-7',
    at: seed,
    when: monitorsUserClusters,
  }),
  images('docker.io', ['hashicorp/consul', 'library/memcached', 'nginxinc/nginx-unprivileged'], {
    component: 'user-cluster monitoring',
    reason: 'What metrics and logs of the user clusters lean on.',
    requirement: 'EGR-6',
    at: seed,
    when: monitorsUserClusters,
  }),
  images('quay.io', ['minio/minio', 'minio/mc'], {
    component: 'MinIO',
    reason: 'Store of the etcd snapshots.',
    requirement: 'EGR-7',
    at: seed,
    when: (facts) => facts.seed?.backup?.minio !== undefined,
  }),
];

export const managementImages: readonly Download[] = [...editions, ...controlPlanes, ...services];
