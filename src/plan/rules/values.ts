// The settings that rules about workers may read, and all of their values as one text: the same text, the same verdict.
// A rule that reads another setting does not compile, so the text cannot leave one out.
import type { Effective } from '../settings/effective.ts';

const reviewed = [
  'exposeStrategy',
  'entry',
  'route',
  'agent',
  'ipFamily',
  'pods',
  'services',
  'dnsDomain',
  'nodeLocalDNS',
  'agentIP',
  'cni',
  'allowedSourceRanges',
  'idleTimeout',
  'keepalive',
  'egressMode',
  'proxy',
  'noProxy',
  'registry',
] as const satisfies readonly (keyof Effective)[];

export type ReviewedSettings = Pick<Effective, (typeof reviewed)[number]>;

export const valuesOf = (settings: ReviewedSettings): string => JSON.stringify(reviewed.map((key) => settings[key]));
