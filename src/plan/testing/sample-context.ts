// Contexts and allow-lists of sample models.
import { noAllocations } from '../../model/index.ts';
import type { Model } from '../../model/schema/index.ts';
import { buildContext } from '../build-context.ts';
import type { PlanCache } from '../cache.ts';
import type { PlanContext } from '../context.ts';
import { kubernetesRuntime } from '../runtime.ts';
import { sampleModel } from './sample-model.ts';

export const sampleContext = (parts: Partial<Model> = {}, cache?: PlanCache): PlanContext =>
  buildContext(sampleModel(parts), noAllocations, kubernetesRuntime, cache);
