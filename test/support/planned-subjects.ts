// Real plans of platforms that differ in what matters to renderers.
import type { Subject } from './rendered.ts';

export const plannedSubjects = (): Subject[] => [];
