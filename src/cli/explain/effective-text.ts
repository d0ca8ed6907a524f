// The effective settings of one document of a directory: value, who set it, and what it overrode.
import { CausewayError } from '../../core/errors.ts';
import { entryOf } from '../../core/records.ts';
import { nearest } from '../../core/suggest.ts';
import type { Kind } from '../../model/schema/index.ts';
import type { Plan, Setting } from '../../plan/schema/index.ts';
import { columns } from '../../render/text/columns.ts';
import { bold } from '../views/style.ts';
import { valueText } from './value-text.ts';

type SettingsOf = Readonly<Record<string, Setting>>;

const groups = { Seed: 'seeds', Datacenter: 'datacenters', Cluster: 'clusters' } as const;

export function settingsOf(plan: Plan, kind: Kind, name: string): SettingsOf {
  if (kind === 'AddressPool')
    throw new CausewayError(
      'CW-CLI-SETTINGS',
      'an AddressPool inherits nothing',
      'its values are those of its own manifest; causeway explain addresspool lists them',
    );
  const named = kind === 'Platform' ? { [plan.platform.name]: plan.settings.platform } : plan.settings[groups[kind]];
  const settings = entryOf(named, name);
  if (settings === undefined) throw unknownName(kind, name, Object.keys(named));
  return settings;
}

/** All settings at or below the field; a setting that spans the field counts too (registry for registry.host). */
export function selectSettings(settings: SettingsOf, field: string | undefined): [string, Setting][] {
  const entries = Object.entries(settings);
  if (field === undefined) return entries;
  const wanted = field.toLowerCase().replace(/^spec\./, '');
  return entries.filter(([key]) => {
    const known = key.toLowerCase();
    return known === wanted || known.startsWith(`${wanted}.`) || wanted.startsWith(`${known}.`);
  });
}

export function effectiveText(title: string, selected: readonly [string, Setting][]): string {
  const rows = selected.flatMap(([key, setting]) => [
    [key, valueText(setting.value), setting.from],
    ...(setting.overrode ?? []).map(({ value, from }) => ['', valueText(value), `overridden: ${from}`]),
  ]);
  return `${bold(title)}\n\n${columns(['SETTING', 'VALUE', 'FROM'], rows).replaceAll(/^-/gm, ' ')}`;
}

function unknownName(kind: string, name: string, known: readonly string[]): CausewayError {
  const guess = nearest(name, known);
  const some = known.slice(0, 10).join(', ');
  const did = guess === undefined ? '' : `did you mean ${kind}/${guess}? `;
  const fix = `${did}There ${known.length === 0 ? 'are none' : `are ${some}${known.length > 10 ? ' …' : ''}`}.`;
  return new CausewayError('CW-CLI-RESOURCE', `there is no ${kind}/${name}`, fix);
}
