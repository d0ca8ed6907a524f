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

export const commented = (object: object, comment: readonly string[] | undefined): YamlDocument =>
  comment === undefined ? { object } : { comment, object };

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
