// What a line says: its ports, its traffic and its health, for the eye and in words.
import type { Rates } from '../../components/hops/rates.ts';
import { rate } from '../../components/units.ts';
import { type Bundle, healthOfBundle, paceOfBundle, portsOfBundle } from './bundles.ts';

const healthWords = { good: 'works', bad: 'fails', warn: 'needs attention', idle: 'health not known' };

export function lineLook(bundle: Bundle, rates: Rates, titles: ReadonlyMap<string, string>) {
  const pace = paceOfBundle(bundle, rates);
  const state = healthOfBundle(bundle);
  const label = labelOf(bundle, pace);
  const ends = [bundle.from, bundle.to].map((id) => titles.get(id) ?? id).join(' to ');
  return { label, state, words: `${ends}: ${healthWords[state]}, ${label}`, flowing: pace !== undefined && pace > 0 };
}

function labelOf(bundle: Bundle, pace: number | undefined): string {
  const ports = portsOfBundle(bundle);
  const where = ports.length > 2 ? `${ports.length} ports` : ports.join(', ');
  const said = [where, pace === undefined ? '' : rate(pace)].filter((part) => part !== '');
  return said.length === 0 ? `${bundle.hops.length} in all` : said.join(' · ');
}
