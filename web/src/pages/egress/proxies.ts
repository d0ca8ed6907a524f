import type { ProxyView } from '../../api/types.ts';
import { hasWords } from '../../components/data-table/local-page.ts';

export interface ProxyOfPlace {
  readonly place: string;
  readonly mode: 'direct' | 'proxy' | 'offline';
  readonly proxy: ProxyView['places'][string] | undefined;
}

/** Every place that is known to go out, with or without a proxy. */
export function proxiesOf({ modes, places }: ProxyView): ProxyOfPlace[] {
  const all = [...new Set([...Object.keys(modes), ...Object.keys(places)])].sort();
  return all.map((place) => {
    const proxy = places[place];
    return { place, mode: proxy === undefined ? (modes[place] ?? 'direct') : 'proxy', proxy };
  });
}

export const fits = (
  { place, mode, proxy }: ProxyOfPlace,
  wanted: { readonly words: string; readonly mode: string },
): boolean =>
  (wanted.mode === '' || wanted.mode === mode) &&
  hasWords([place, proxy?.http, proxy?.https, proxy?.from, ...(proxy?.noProxy ?? [])].join(' '), wanted.words);
