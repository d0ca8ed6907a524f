// Internet access: a proxy where one is needed, a registry where there is no internet.
import type { Finding } from '../../model/index.ts';
import { nearestSpot, spotOf } from './provenance.ts';
import { finding, isDecided, none, type Scope, type ScopeRule, type WorkerRule } from './rule.ts';

/** PRX-1: for downloads. */
export const egressProxyRule: ScopeRule = (scope) => {
  if (scope.effective.egressMode !== 'proxy' || scope.effective.proxy?.https !== undefined) return none;
  return [missingProxy(scope, 'egress.mode', 'downloads go through a proxy')];
};

/** PRX-1: for the way to the gateway. */
export const routeProxyRule: WorkerRule = (scope) => {
  if (scope.effective.route !== 'proxy' || scope.effective.proxy?.https !== undefined) return none;
  return [missingProxy(scope, 'workers.route', 'workers reach the gateway through a proxy')];
};

function missingProxy(scope: Scope, key: string, need: string): Finding {
  const { proxy } = scope.effective;
  return finding('CW-PROXY-MISSING', {
    ...nearestSpot(scope, [key, 'proxy']),
    message:
      proxy === undefined
        ? `${need}, but none is configured here`
        : `${need}, but the one of ${proxy.from} has no https`,
    fix: 'set proxy.https to the address of the proxy, as in http://proxy.example.com:3128',
  });
}

const publicRegistries = [
  'docker.io',
  'quay.io',
  'gcr.io',
  'ghcr.io',
  'registry.k8s.io',
  'mcr.microsoft.com',
  'public.ecr.aws',
];
const isPublic = (endpoint: string): boolean =>
  publicRegistries.some((host) => endpoint.startsWith(`${host}:`) || endpoint.includes(`.${host}:`));

/** OFF-1, OFF-3. */
export const offlineRegistryRule: ScopeRule = (scope) => {
  const { egressMode, registry } = scope.effective;
  if (egressMode !== 'offline') return none;
  const report = (message: string): Finding[] => [
    finding('CW-OFFLINE-REGISTRY', {
      ...nearestSpot(scope, ['egress.mode', 'registry']),
      message,
      fix: 'set registry.host to the private registry that holds the mirrored images, as in registry.example.com:5000',
    }),
  ];
  if (registry?.host === undefined) return report('egress mode is offline, but no private registry is named');
  return isPublic(registry.host) ? report(`egress mode is offline, but ${registry.host} is a public registry`) : none;
};

/** Flatcar updates itself and installs nothing. */
const installsPackages = ['ubuntu', 'rhel', 'rocky', 'amazon-linux', 'centos-7'];

/** OFF-4. */
export const offlineMirrorRule: WorkerRule = (scope) => {
  const { egressMode, registry } = scope.effective;
  if (egressMode !== 'offline' || registry === undefined || isDecided(scope, 'OFF-4')) return none;
  const systems = scope.datacenter.spec.nodes.operatingSystems ?? [];
  const missing = [
    ...(registry.binaries === undefined ? ['binaries'] : []),
    ...(registry.packages === undefined && systems.some((system) => installsPackages.includes(system))
      ? ['packages']
      : []),
  ];
  if (missing.length === 0) return none;
  return [
    finding('CW-OFFLINE-MIRROR', {
      ...spotOf(scope, 'registry'),
      message: `egress mode is offline, but there is no mirror for ${missing.join(' and ')}`,
      fix: `set ${missing.map((field) => `registry.${field}`).join(' and ')}, or record as a decision on OFF-4 that machine images hold everything`,
    }),
  ];
};
