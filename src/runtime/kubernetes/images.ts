// Programs as images: which image of its publisher holds a program, and how it is started in it.
import { CausewayError } from '../../core/errors.ts';
import { type ProgramName, programs } from '../../programs/catalogue/index.ts';

export interface ImageOptions {
  /** host[:port][/path] of a registry that has the same repositories as the publishers'. */
  readonly registry?: string;
  /** The Secret, in the namespace of the cluster, with which images are pulled. */
  readonly pullSecret?: string;
}

export interface Image {
  readonly reference: string;
  readonly command: readonly string[];
  /** Capabilities without which the kernel refuses to start the program of this image. */
  readonly capabilities: readonly string[];
}

interface Source {
  readonly repository: string;
  readonly tag: (version: string) => string;
  readonly command: string;
  readonly capabilities?: readonly string[];
}

/** All of them are there; the plan opens the way to it for seeds (plan/egress/tables/management-images.ts). */
const publisher = 'registry.k8s.io';

/** The base of these images starts another program unless a command is given. */
const kubernetes = (name: ProgramName): Source => ({
  repository: name,
  tag: (version) => `v${version}`,
  command: `/usr/local/bin/${name}`,
});

const sources: Partial<Record<ProgramName, Source>> = {
  // Its file has this capability, and whoever may not have it may not start it (kubernetes/kubernetes#100914).
  'kube-apiserver': { ...kubernetes('kube-apiserver'), capabilities: ['NET_BIND_SERVICE'] },
  'kube-controller-manager': kubernetes('kube-controller-manager'),
  'kube-scheduler': kubernetes('kube-scheduler'),
  // The last number counts builds of one version.
  etcd: { repository: 'etcd', tag: (version) => `${version}-0`, command: '/usr/local/bin/etcd' },
  'konnectivity-server': {
    repository: 'kas-network-proxy/proxy-server',
    tag: (version) => `v${version}`,
    command: '/proxy-server',
  },
};

export const programsWithImage = Object.keys(sources) as ProgramName[];

export function imageOf(
  { name, version }: { readonly name: ProgramName; readonly version?: string },
  { registry = publisher }: ImageOptions = {},
): Image {
  const source = sources[name];
  if (source === undefined) throw noImage(name);
  const tag = source.tag(version ?? programs[name].versions[0]);
  return {
    reference: `${registry}/${source.repository}:${tag}`,
    command: [source.command],
    capabilities: source.capabilities ?? [],
  };
}

const noImage = (name: ProgramName): CausewayError =>
  new CausewayError(
    'CW-KUBERNETES-IMAGE',
    `${name} has no image, so it cannot run as a container`,
    `name its image in src/runtime/kubernetes/images.ts; there are images of ${programsWithImage.join(', ')}`,
  );
