// What the components of a worker are made of: the same for all of them.
import type { ComponentSpec, SpecFile } from '../../control-plane/component.ts';
import type { WorkerAddresses } from './addresses.ts';
import { systemPath } from './command.ts';
import type { RealWorkerInput, Secrets } from './input.ts';
import { type Layout, onWorker } from './layout.ts';
import type { Tool } from './machine.ts';
import type { WorkerPrograms } from './programs.ts';

export interface WorkerParts {
  readonly layout: Layout;
  readonly input: RealWorkerInput;
  readonly secrets: Secrets;
  readonly addresses: WorkerAddresses;
  readonly programs: WorkerPrograms;
  readonly tools: Readonly<Record<Tool, string>>;
}

/** As the plan has it for this cluster. */
export const networkSetting = <Value>({ planned, cluster }: RealWorkerInput, name: string): Value =>
  planned.plan.settings.clusters[cluster]?.[`network.${name}`]?.value as Value;

export const nodeName = (cluster: string): string => `${cluster}-real`;

type OwnSpec = Pick<ComponentSpec, 'name' | 'needs' | 'stopMs'> & {
  readonly command: readonly string[];
  readonly files?: readonly SpecFile[];
};

/** A program on the worker. Nobody outside of its network can ask it anything, so it counts as healthy while it lives. */
export function onWorkerSpec({ layout, input, tools }: WorkerParts, spec: OwnSpec): ComponentSpec {
  const { command, ...rest } = spec;
  const [, ...entering] = onWorker(layout);
  return {
    ...rest,
    scope: `worker/${input.cluster}`,
    program: { file: tools.nsenter },
    args: [...entering, ...command],
    env: { PATH: systemPath },
    probe: { kind: 'alive', ms: 1_500 },
  };
}

/** JSON is YAML, and every program of Kubernetes reads it. */
export const jsonFile = (path: string, value: unknown): SpecFile => ({
  path,
  text: `${JSON.stringify(value, null, 2)}\n`,
});

/** Programs read it again by themselves. */
export const tokenFile = (path: string, token: string): SpecFile => ({ path, text: token, reloads: true });
