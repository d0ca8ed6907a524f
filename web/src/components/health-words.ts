export type HealthState = 'good' | 'bad' | 'warn' | 'busy' | 'idle';

/** Within a sentence. */
export const healthWords: Readonly<Record<HealthState, string>> = {
  good: 'works',
  bad: 'fails',
  warn: 'needs attention',
  busy: 'is starting',
  idle: 'health not known',
};

/** Of clusters. */
export const phaseWords = { ready: 'Ready', starting: 'Starting', failing: 'Not ready' } as const;
