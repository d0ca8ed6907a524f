// What only this platform can object to in manifests that are right by themselves.
import type { Finding } from '../model/index.ts';
import type { PlatformRuntime } from '../runtime/platform-runtime.ts';
import type { Planned } from './cluster/cluster-input.ts';
import { impossibleChanges } from './impossible-changes.ts';
import { versionFindings } from './version-findings.ts';

export async function objectionsTo(
  planned: Planned,
  { data, versions }: Pick<PlatformRuntime, 'data' | 'versions'>,
): Promise<Finding[]> {
  const [changes, found] = [await impossibleChanges(data, planned), await versionFindings(versions, planned.model)];
  const unavailable = new Set(found.filter(({ code }) => code === 'CW-VERSION-UNAVAILABLE').map(fieldOf));
  // To a version that nobody has there are no steps that could be taken.
  return [
    ...changes.filter((change) => change.code !== 'CW-VERSION-CHANGE' || !unavailable.has(fieldOf(change))),
    ...found,
  ];
}

const fieldOf = ({ resource, path = [] }: Finding): string => JSON.stringify([resource, path]);
