// Where a setting is to be changed: in the document that set it, so that a mistake made once is reported once.
import type { Finding, Path } from '../../model/index.ts';
import { type DocumentOrigin, type Origin, resourceOf } from '../settings/origin.ts';
import { nameOf, type Scope } from './rule.ts';

export type Spot = Required<Pick<Finding, 'resource' | 'path'>>;

const levels: readonly (string | undefined)[] = [undefined, 'Platform', 'Seed', 'Datacenter', 'Cluster'];

/** Nothing where no document set it. Of what adds up over the levels, the nearest one. */
function documentOf(origin: Origin | undefined): DocumentOrigin | undefined {
  if (origin === undefined || origin.level === 'default' || origin.level === 'runtime') return undefined;
  return origin.level === 'sum' ? origin.of.at(-1) : origin;
}

/** `key` as in the settings of the plan: network.pods, workers.route, proxy … */
export function spotOf(scope: Scope, key: string): Spot {
  const origin = documentOf(scope.settings[key]?.from);
  return origin === undefined
    ? { resource: narrowest(scope), path: ['spec', ...key.split('.')] }
    : { resource: resourceOf(origin), path: origin.field.split('.') };
}

/** Two settings that contradict each other are reported at the one that is set nearest to the cluster. */
export function nearestSpot(scope: Scope, keys: readonly [string, ...string[]]): Spot {
  const rank = (key: string): number => levels.indexOf(documentOf(scope.settings[key]?.from)?.level);
  return spotOf(
    scope,
    keys.reduce((best, key) => (rank(key) > rank(best) ? key : best)),
  );
}

/** A default that does not fit is best overridden where all workers of a place get the new value. */
const narrowest = ({ datacenter, seed, platform }: Scope): string => nameOf(datacenter ?? seed ?? platform);

export const at = (spot: Spot, ...steps: Path): Spot => ({ resource: spot.resource, path: [...spot.path, ...steps] });
