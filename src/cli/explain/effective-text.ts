// The values that hold for one document of a directory: who set them, and what they overrode.

import { entryOf } from '../../core/collections.ts';
import { CausewayError, exitCodes } from '../../core/errors.ts';
import { nearest } from '../../core/suggest.ts';
import { schemaOf } from '../../model/json-schema.ts';
import type { Kind, Model, Resource } from '../../model/schema/index.ts';
import type { Plan } from '../../plan/schema/index.ts';
import { originText, type Setting } from '../../plan/settings/index.ts';
import { fails, printFindings, reviewPath } from '../pipeline.ts';
import { bold, table } from '../views/table.ts';
import { findField } from './fields.ts';

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
  ...valueLines(key, value).map((line) => [...line, originText(from)]),
  ...overrode.flatMap((other) =>
    valueLines(key, other.value).map((line) => [...line, `overridden: ${originText(other.from)}`]),
  ),
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

// Cluster/web, as the manifests of a directory have it.

export async function explainDocument(
  kind: Kind,
  name: string,
  field: string | undefined,
  dir: string,
): Promise<string> {
  const reviewed = await reviewPath(dir);
  const { planned, findings } = reviewed;
  if (planned === undefined || fails(findings)) {
    printFindings(reviewed, process.stderr);
    throw new CausewayError(
      'CW-CLI-UNREADABLE',
      `the manifests in ${dir} have errors, so what they lead to is not known`,
      'mend the findings above',
      exitCodes.findings,
    );
  }
  const resource = resourceOf(planned.model, kind, name);
  const title = `${kind}/${resource.metadata.name}`;
  const settings = selectSettings(settingsOf(planned.plan, kind, resource.metadata.name), field);
  if (settings.length > 0) return effectiveText(title, settings);
  return writtenText(title, resource, findField(schemaOf(kind), field ?? 'spec', kind).path);
}

function resourceOf(model: Model, kind: Kind, name: string): Resource {
  const documents = documentsOf(model, kind);
  const found = documents.find((document) => document.metadata.name === name.toLowerCase());
  if (found !== undefined) return found;
  const names = documents.map((document) => document.metadata.name);
  const guess = nearest(name, names);
  const some = `${names.slice(0, 10).join(', ')}${names.length > 10 ? ' …' : ''}`;
  throw new CausewayError(
    'CW-CLI-RESOURCE',
    `there is no ${kind}/${name}`,
    `${guess === undefined ? '' : `did you mean ${kind}/${guess}? `}${names.length === 0 ? 'There are none.' : `There are ${some}.`}`,
  );
}

const documentsOf = (model: Model, kind: Kind): readonly Resource[] =>
  ({
    Platform: [model.platform],
    Seed: model.seeds,
    Datacenter: model.datacenters,
    Cluster: model.clusters,
    AddressPool: model.pools,
  })[kind];

// Values of manifests for people: lists with commas, references as words.

export function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'unset';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueText).join(', ');
  return typeof value === 'object' ? blockText(value) : String(value);
}

/** `{ secret: { namespace: a, name: b } }` reads "secret a/b". */
const blockText = (block: object): string =>
  Object.entries(block)
    .map(
      ([key, value]) => `${key} ${isBlock(value) ? Object.values(value).map(valueText).join('/') : valueText(value)}`,
    )
    .join(', ');

const isBlock = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A block as one line for each of its fields, anything else as one line. */
export const valueLines = (key: string, value: unknown): [key: string, value: string][] =>
  isBlock(value)
    ? Object.entries(value).map(([name, field]) => [key === '' ? name : `${key}.${name}`, valueText(field)])
    : [[key, valueText(value)]];
