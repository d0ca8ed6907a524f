// A runtime that resolves nothing: what a driver of tests is to run, one component per container.
import type { ComponentSpec } from '../component.ts';
import type { ControlPlaneInput } from '../control-plane.ts';
import type { Workload } from '../workload.ts';

export const fakeComponents = (workloads: readonly Workload[], { cluster }: ControlPlaneInput): ComponentSpec[] =>
  workloads.flatMap(({ containers }) =>
    containers.map(({ name, program, args }) => ({
      scope: `cluster/${cluster}` as const,
      name,
      program,
      args: args.map((arg) => JSON.stringify(arg)),
      probe: { kind: 'alive', ms: 0 },
    })),
  );
