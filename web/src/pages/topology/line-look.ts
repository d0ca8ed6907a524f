// What a line says: its ports, its traffic and its health, for the eye and in words.
import { healthWords } from '../../components/health-words.ts';
import type { Rates } from '../../components/hops/rates.ts';
import { rate } from '../../components/units.ts';
import { type Bundle, healthOfBundle, paceOfBundle, portsOfBundle } from './bundles.ts';

export function lineLook(bundle: Bundle, rates: Rates, titles: ReadonlyMap<string, string>) {
  const pace = paceOfBundle(bundle, rates);
  const state = healthOfBundle(bundle);
  const ports = portsOfBundle(bundle);
  const said = (where: string): string => {
    const parts = [where, pace === undefined ? '' : rate(pace)].filter((part) => part !== '');
    return parts.length === 0 ? `${bundle.hops.length} in all` : parts.join(' · ');
  };
  const ends = [bundle.from, bundle.to].map((id) => titles.get(id) ?? id).join(' to ');
  return {
    label: said(shortened(ports)),
    state,
    words: `${ends}: ${healthWords[state]}${seenFromText(bundle)}, ${said(ports.join(', '))}`,
    flowing: pace !== undefined && pace > 0,
  };
}

function seenFromText({ hops }: Bundle): string {
  const places = new Set(hops.flatMap(({ seenFrom }) => seenFrom ?? []));
  return places.size === 0 ? '' : `, seen from ${[...places].join(' and ')}`;
}

/** So many stand on a line; the rest is in words and in the drawer. */
const shownPorts = 4;

const shortened = (ports: readonly string[]): string =>
  ports.length <= shownPorts
    ? ports.join(', ')
    : `${ports.slice(0, shownPorts - 1).join(', ')} +${ports.length - shownPorts + 1}`;
