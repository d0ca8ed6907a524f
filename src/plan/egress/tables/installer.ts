// What the installation itself fetches: the release, helper tools, charts.
import { usesGatewayApi } from '../../../model/index.ts';
import type { Download, Facts } from '../download.ts';

const at = ['installer'] as const;

/** Image of the helper tools; the usual one, or the one that is set. */
const toolImage = (facts: Facts): string =>
  facts.platform.access?.installer?.toolContainer ?? 'quay.io/kubermatic-labs/kubeone-tooling';

/** The part before the first slash is a registry only if it looks like a host; otherwise it is docker.io. */
export const registryOf = (image: string): string => {
  const [first = '', ...rest] = image.split('/');
  return rest.length > 0 && (/[.:]/.test(first) || first === 'localhost') ? first : 'docker.io';
};

const withoutPort = (host: string): string => host.split(':')[0] ?? host;
const portsOf = (host: string): number[] => [Number(host.split(':')[1] ?? 443)];

const tools: readonly Download[] = [
  {
    host: 'github.com',
    paths: ['/kubermatic/kubermatic/releases/'],
    component: 'KKP installer',
    reason: 'The installer and its charts.',
    requirement: 'INS-1',
    at,
  },
  {
    host: 'github.com',
    paths: ['/kubermatic/kubeone/releases/'],
    component: 'KubeOne program',
    reason: 'Builds the management clusters.',
    requirement: 'TOL-1',
    at,
  },
  {
    host: 'dl.k8s.io',
    paths: ['/release/'],
    component: 'kubectl',
    reason: 'Helper tool.',
    requirement: 'TOL-1',
    at,
  },
  { host: 'get.helm.sh', component: 'Helm', reason: 'Helper tool.', requirement: 'TOL-1', at },
  {
    host: 'releases.hashicorp.com',
    component: 'Terraform',
    reason: 'Helper tool.',
    requirement: 'TOL-1',
    at,
  },
  {
    host: 'registry.terraform.io',
    component: 'Terraform',
    reason: 'Modules and providers for the machines of the management clusters.',
    requirement: 'TOL-1',
    at,
  },
  {
    host: (facts) => withoutPort(registryOf(toolImage(facts))),
    ports: (facts) => portsOf(registryOf(toolImage(facts))),
    images: (facts) => [toolImage(facts)],
    component: 'tool container',
    reason: 'All helper tools in one image.',
    requirement: 'TOL-3',
    at,
  },
];

const chart = (host: string, component: string): Download => ({
  host,
  component,
  reason: 'Chart that the installer builds on; it can be left out when dependencies are already there.',
  requirement: 'INS-3',
  at,
});

const charts: readonly Download[] = [
  chart('charts.jetstack.io', 'chart of cert-manager'),
  chart('charts.dexidp.io', 'chart of Dex'),
  chart('grafana.github.io', 'charts of Grafana and Loki'),
  chart('prometheus-community.github.io', 'charts of Prometheus'),
  { ...chart('kubernetes.github.io', 'chart of ingress-nginx'), when: (facts) => !usesGatewayApi(facts.platform) },
  {
    ...chart('docker.io', 'chart of Envoy Gateway'),
    images: ['docker.io/envoyproxy/gateway-helm'],
    when: (facts) => usesGatewayApi(facts.platform),
  },
  chart('oauth2-proxy.github.io', 'chart of the identity-aware proxy'),
];

export const installerDownloads: readonly Download[] = [...tools, ...charts];
