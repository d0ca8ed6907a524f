// The values that hold for one document of a directory: who set them, and what they overrode.
import { entryOf } from '../../core/collections.ts';
import type { Kind, Resource } from '../../model/schema/index.ts';
import type { Plan, Setting } from '../../plan/schema/index.ts';
import { bold } from '../views/style.ts';
import { table } from '../views/table.ts';
import { valueLines } from './value-text.ts';

type Settings = readonly (readonly [key: string, setting: Setting])[];

/** Inherited settings of the document; an AddressPool has none. */
export function settingsOf(plan: Plan, kind: Kind, name: string): Settings {
  const { platform, seeds, datacenters, clusters } = plan.settings;
  const named = {
    Platform: { [name]: platform },
    Seed: seeds,
    Datacenter: datacenters,
    Cluster: clusters,
    AddressPool: {},
  };
  return Object.entries(entryOf(named[kind], name) ?? {});
}

/** All settings at or below the field; a setting that spans the field counts too (registry for registry.host). */
export function selectSettings(settings: Settings, field: string | undefined): Settings {
  if (field === undefined) return settings;
  const wanted = field.toLowerCase().replace(/^spec\./, '');
  return settings.filter(([key]) => {
    const known = key.toLowerCase();
    return known === wanted || known.startsWith(`${wanted}.`) || wanted.startsWith(`${known}.`);
  });
}

export const effectiveText = (title: string, settings: Settings): string =>
  settingsTable(title, settings.flatMap(settingRows));

const settingRows = ([key, { value, from, overrode = [] }]: Settings[number]): string[][] => [
  ...valueLines(key, value).map((line) => [...line, from]),
  ...overrode.flatMap((other) => valueLines(key, other.value).map((line) => [...line, `overridden: ${other.from}`])),
];

/** What the document itself says, for fields that are not inherited. */
export function writtenText(title: string, resource: Resource, path: readonly string[]): string {
  const value = path.reduce<unknown>((at, step) => entryOf((at ?? {}) as Record<string, unknown>, step), resource);
  const field = path.join('.');
  const from = value === undefined ? '-' : `${title} ${field}`;
  return settingsTable(
    title,
    valueLines(field.replace(/^spec\.?/, ''), value).map((line) => [...line, from]),
  );
}

const settingsTable = (title: string, rows: readonly string[][]): string =>
  `${bold(title)}\n\n${table(['SETTING', 'VALUE', 'FROM'], rows)}`;
