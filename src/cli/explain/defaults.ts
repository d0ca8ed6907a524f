// What holds when nobody sets an inherited field. The plan knows; here it is only put into words.
import { type DefaultFacts, leaves } from '../../plan/settings/leaves.ts';
import { valueText } from './value-text.ts';

// The usual case first, so that its default is named first.
const both = [false, true];
const oldMinor = 30;
const newMinor = 36;

/** Every combination of what a default can depend on. */
const circumstances: readonly DefaultFacts[] = both.flatMap((dual) =>
  both.flatMap((single) =>
    both.flatMap((hasProxy) =>
      [newMinor, oldMinor].map(
        (kubernetesMinor): DefaultFacts => ({
          ipFamily: dual ? 'IPv4+IPv6' : 'IPv4',
          offers: single ? ['single'] : ['split'],
          hasProxy,
          kubernetesMinor,
        }),
      ),
    ),
  ),
);

/** All values that the default can be; empty where there is none. The path has no `spec` in front. */
export function defaultsOf(path: string): string[] {
  const leaf = leaves.find(({ key }) => key === path);
  if (leaf === undefined) return [];
  const values = circumstances.map(leaf.fallback).filter((value) => value !== undefined);
  return [...new Set(values.map(valueText))];
}

const order = 'Platform → Seed → Datacenter → Cluster';
const asBlock = ['proxy', 'registry'];

/** How a field is inherited, or nothing where it is not. */
export function inheritanceOf(path: string): string | undefined {
  const [head = ''] = path.split('.');
  if (path === 'proxy.noProxy') return `${order}; the entries of all of them add up`;
  if (asBlock.includes(head)) return `${order}; the most specific ${head} wins as a whole`;
  const known = leaves.some(({ key }) => key === path || key.startsWith(`${path}.`));
  return known ? `${order}; the most specific one wins` : undefined;
}
