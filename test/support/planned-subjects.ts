// Real plans: of the sample, and of platforms that chance made up (always the same ones, so that a failure repeats).
import fc from 'fast-check';
import { plan } from '../../src/plan/index.ts';
import { arbitraryModel } from '../../src/plan/testing/arbitrary-model.ts';
import { sampleModel } from '../../src/render/testing/sample-model.ts';
import type { Subject } from './rendered.ts';

export function plannedSubjects(): Subject[] {
  const models = fc.sample(arbitraryModel(), { numRuns: 6, seed: 20_26 });
  return [
    { name: 'planned sample', plan: plan(sampleModel) },
    ...models.map((model, i) => ({ name: `planned platform ${i + 1}`, plan: plan(model) })),
  ];
}
