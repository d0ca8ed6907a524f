// What MetalLB and Cilium have in common: one file per environment that they announce addresses in, and the names of routers.
import { durationMs } from '../../core/duration.ts';
import type { LoadBalancer } from '../../plan/installation/index.ts';
import { type Artefact, bannerLines } from '../artefact.ts';
import { secretOf } from '../certificates/secrets.ts';
import { type YamlDocument, yamlFile } from '../text/yaml.ts';
import { type Environment, environments } from './environments.ts';

export interface Announcer {
  readonly name: NonNullable<Environment['announcer']>;
  readonly title: string;
  readonly documents: (environment: Environment) => readonly YamlDocument[];
}

export const announcerArtefact = ({ name, title, documents }: Announcer): Artefact => ({
  name,
  title,
  files: (plan) =>
    environments(plan)
      .filter((environment) => environment.announcer === name)
      .map((environment) => ({
        path: `load-balancer/${environment.path}/${name}.yaml`,
        text: yamlFile(bannerLines(plan, `${title} in ${environment.title}`), documents(environment)),
      })),
});

/** Documents of one API group; besides its name each one has the same metadata. */
export const documentsOf =
  (group: string, metadata: object) =>
  (version: string, kind: string, name: string, spec: object, comment?: readonly string[]): YamlDocument => {
    const object = { apiVersion: `${group}/${version}`, kind, metadata: { name, ...metadata }, spec };
    return comment === undefined ? { object } : { comment, object };
  };

/** Where addresses of a pool are not given out by themselves. */
export const askedBy = (annotation: string): string =>
  `The plan decides who gets which address: a Service asks with the annotation ${annotation}.`;

/** Above what announces by L2 because nobody has said otherwise. */
export const undecidedNote = (mode: LoadBalancer['mode']): readonly string[] | undefined =>
  mode === undefined ? ['BGP or L2 is not decided yet; this announces by ARP (L2).'] : undefined;

// Routers as MetalLB and Cilium name them.

export type Bgp = NonNullable<LoadBalancer['bgp']>;
export type Peer = Bgp['peers'][number];

/** Name of a router as a Kubernetes name; its address, so that adding one renames no other. */
export const peerName = ({ address }: Peer): string => `peer-${address.replace(/[^0-9a-z]/gi, '-').replace(/-+$/, '')}`;

export const defaultHoldTime = '90s';

/** Whole seconds of a duration such as 1m30s, which is what BGP counts in. */
export const secondsOf = (duration: string): number => Math.round((durationMs(duration) ?? 0) / 1000);

export interface PeerPassword {
  readonly secret: string;
  readonly note: string;
}

export function passwordOf(peer: Peer): PeerPassword | undefined {
  if (peer.password === undefined) return undefined;
  const { name, note } = secretOf(peer.password, `bgp-${peerName(peer)}`, 'password');
  return { secret: name, note };
}
