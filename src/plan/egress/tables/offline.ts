// Offline: everything comes from the private registry and the mirrors beside it.
import type { Download, Facts } from '../download.ts';

const everywhere = ['workers', 'seed', 'master', 'installer'] as const;
const nodes = ['workers', 'seed', 'master'] as const;

interface HostPort {
  readonly host: string;
  readonly port: number;
}

const registryOf = (facts: Facts): HostPort | undefined => {
  const endpoint = facts.registry?.host;
  if (endpoint === undefined) return undefined;
  const colon = endpoint.lastIndexOf(':');
  return { host: endpoint.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(endpoint.slice(colon + 1)) };
};

const mirrorOf = (url: string | undefined): HostPort | undefined => {
  if (url === undefined) return undefined;
  const { hostname, port, protocol } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
  };
};

const private_ = (target: (facts: Facts) => HostPort | undefined): Pick<Download, 'host' | 'ports'> => ({
  host: (facts) => target(facts)?.host ?? [],
  ports: (facts) => [target(facts)?.port ?? 443],
});

/** Mirrors keep the path behind their own address, so that a checksum file lies beside its binary. */
const kubeletPaths = (facts: Facts): string[] => {
  const base = new URL(facts.registry?.binaries ?? 'https://mirror.invalid').pathname.replace(/\/$/, '');
  return facts.versions.flatMap((version) => {
    const path = `${base}/v${version}/bin/linux/amd64/kubelet`;
    return [path, `${path}.sha256`];
  });
};

export const offlineDownloads: readonly Download[] = [
  {
    ...private_(registryOf),
    component: 'private registry',
    reason: 'All images, in place of the public registries.',
    requirement: 'OFF-1',
    at: everywhere,
  },
  {
    ...private_((facts) => mirrorOf(facts.registry?.binaries)),
    paths: (facts) => (facts.site === 'workers' ? kubeletPaths(facts) : []),
    versioned: true,
    component: 'binaries mirror',
    reason: 'kubelet, CNI plugins and crictl under their original paths.',
    requirement: 'OFF-4',
    at: everywhere,
  },
  {
    ...private_((facts) => mirrorOf(facts.registry?.packages)),
    component: 'packages mirror',
    reason: 'Packages of the operating systems.',
    requirement: 'OFF-4',
    at: nodes,
  },
];
