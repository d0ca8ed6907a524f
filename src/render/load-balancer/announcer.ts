// What MetalLB and Cilium have in common: one file per environment that they announce addresses in.
import type { Artefact } from '../artefact.ts';
import { bannerLines } from '../artefact.ts';
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
