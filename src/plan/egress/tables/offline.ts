// Offline: everything comes from the private registry and the mirrors beside it.
import { type Remote, remoteOfEndpoint, remoteOfUrl } from '../../places/remote.ts';
import { type Download, type Facts, linesOf } from '../download.ts';

const everywhere = ['workers', 'seed', 'master', 'installer'] as const;
const nodes = ['workers', 'seed', 'master'] as const;

const registryOf = ({ registry }: Facts): Remote | undefined =>
  registry?.host === undefined ? undefined : remoteOfEndpoint(registry.host);

const mirrorOf = (url: string | undefined): Remote | undefined => (url === undefined ? undefined : remoteOfUrl(url));

const private_ = (target: (facts: Facts) => Remote | undefined): Pick<Download, 'host' | 'ports'> => ({
  host: (facts) => target(facts)?.host ?? [],
  ports: (facts) => [target(facts)?.port ?? 443],
});

/** An image keeps its path, whatever registry it came from. */
const rewritten = (image: string, registry: string): string => {
  const slash = image.indexOf('/');
  const hasRegistry = slash > 0 && /[.:]|^localhost$/.test(image.slice(0, slash));
  return `${registry}/${hasRegistry ? image.slice(slash + 1) : image}`;
};

/** Mirrors keep the path behind their own address, so that a checksum file lies beside its binary. */
const basePath = (facts: Facts): string =>
  new URL(facts.registry?.binaries ?? 'https://mirror.invalid').pathname.replace(/\/$/, '');

const inUse = (downloads: readonly Download[]): readonly Download[] =>
  downloads.filter((download) => download.retired === undefined && download.service !== true);

/** What the private registry must hold: everything that is pulled where there is a way out. */
const registryDownload = (online: readonly Download[]): Download => {
  const withImages = inUse(online).filter((download) => download.images !== undefined);
  return {
    ...private_(registryOf),
    images: (facts) =>
      linesOf(withImages, facts).flatMap((line) =>
        line.images.map((image) => rewritten(image, facts.registry?.host ?? '')),
      ),
    component: 'private registry',
    reason: 'All images, in place of the public registries; each keeps its path.',
    requirement: 'OFF-1',
    at: everywhere,
  };
};

const binariesDownload = (binaries: readonly Download[]): Download => ({
  ...private_((facts) => mirrorOf(facts.registry?.binaries)),
  paths: (facts) =>
    linesOf(inUse(binaries), facts).flatMap((line) => line.paths.map((path) => `${basePath(facts)}${path}`)),
  component: 'binaries mirror',
  reason: 'kubelet, CNI plugins and crictl under their original paths.',
  requirement: 'OFF-4',
  at: everywhere,
});

const packages: Download = {
  ...private_((facts) => mirrorOf(facts.registry?.packages)),
  component: 'packages mirror',
  reason: 'Packages of the operating systems.',
  requirement: 'OFF-4',
  at: nodes,
};

/** The lists of a private registry and its mirrors, from the lists that hold where there is a way out. */
export function offlineDownloads(online: readonly Download[], binaries: readonly Download[]): readonly Download[] {
  const [versioned, steady] = [true, undefined].map((wanted) => binaries.filter((one) => one.versioned === wanted));
  const [shared, perDatacenter] = [undefined, true].map((wanted) =>
    online.filter((one) => one.perDatacenter === wanted),
  );
  return [
    registryDownload(shared ?? []),
    { ...registryDownload(perDatacenter ?? []), perDatacenter: true },
    binariesDownload(steady ?? []),
    { ...binariesDownload(versioned ?? []), versioned: true },
    packages,
  ];
}
