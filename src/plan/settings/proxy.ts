// The proxy is inherited as one block, so that the credentials for one server never travel to another.
// Exemptions add up instead: whoever adds one below still wants those from above.
import type { ProxyServer } from './effective.ts';
import { fieldIn, type Level } from './leaves.ts';
import type { Setting } from './origin.ts';

const isOff = ({ spec: { proxy } }: Level): boolean => proxy?.enabled === false;
const namesServer = ({ spec: { proxy } }: Level): boolean => proxy?.http !== undefined || proxy?.https !== undefined;

/** A server, or nothing where it is switched off. */
function serverOf(level: Level): ProxyServer | undefined {
  const { enabled, noProxy: _, ...server } = level.spec.proxy ?? {};
  return enabled === false ? undefined : { ...server, from: `${level.kind}/${level.name}` };
}

/** Nearest level first. `enabled: true` without a server takes back what is switched off above it. */
export function resolveProxy(levels: readonly Level[]): {
  readonly proxy: ProxyServer | undefined;
  readonly setting: Setting | undefined;
} {
  const revived = levels.findIndex((level) => level.spec.proxy?.enabled === true && !namesServer(level));
  const decides = (level: Level, i: number): boolean =>
    isOff(level) ? revived < 0 || i < revived : namesServer(level);
  const [winner, ...others] = levels.filter(decides);
  if (winner === undefined) return { proxy: undefined, setting: undefined };
  const proxy = serverOf(winner);
  return { proxy, setting: withOverrode({ value: shown(proxy), from: fieldIn(winner, 'proxy') }, others) };
}

const withOverrode = (setting: Setting, others: readonly Level[]): Setting =>
  others.length === 0
    ? setting
    : {
        ...setting,
        overrode: others.map((level) => ({ value: shown(serverOf(level)), from: fieldIn(level, 'proxy') })),
      };

const shown = (proxy: ProxyServer | undefined): unknown => {
  if (proxy === undefined) return 'none';
  const { from: _, ...server } = proxy;
  return server;
};

/** Installation-wide entries first, as they are the ones every cluster has. */
export function resolveNoProxy(levels: readonly Level[]): {
  readonly entries: readonly string[];
  readonly setting: Setting | undefined;
} {
  const setters = levels.filter((level) => (level.spec.proxy?.noProxy ?? []).length > 0).reverse();
  if (setters.length === 0) return { entries: [], setting: undefined };
  const entries = [...new Set(setters.flatMap((level) => (level.spec.proxy?.noProxy ?? []).flatMap(entriesIn)))];
  const of = setters.map((level) => fieldIn(level, 'proxy.noProxy'));
  return { entries, setting: { value: entries, from: { level: 'sum', of } } };
}

/** People paste whole lists into one item; validation says so, and the plan works meanwhile. */
const entriesIn = (item: string): string[] => item.split(/[\s,]+/).filter((entry) => entry !== '');
