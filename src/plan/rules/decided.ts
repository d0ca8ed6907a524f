import type { Model } from '../../model/schema/index.ts';

/** A decision on a catalogue row says that somebody looked at it and answers for it. */
export const isDecided = ({ platform }: Pick<Model, 'platform'>, row: string): boolean =>
  platform.spec.decisions?.some((decision) => decision.row === row) ?? false;
