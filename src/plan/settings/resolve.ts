// Inheritance: Platform → Seed → Datacenter → Cluster, the most specific document wins, and it is written down who won.
import type { Cluster, Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import type { Effective } from './effective.ts';
import { type DefaultFacts, fieldIn, type Leaf, type Level, leaves, levelOf } from './leaves.ts';
import { byDefault, type Setting, type SettingRecord } from './origin.ts';
import { resolveNoProxy, resolveProxy } from './proxy.ts';

export interface Resolved {
  readonly effective: Effective;
  /** Provenance, by setting. */
  readonly settings: SettingRecord;
  /** Nearest first. */
  readonly levels: readonly Level[];
}

/** Kubernetes minor that defaults follow where no cluster says one. */
const newestMinor = 36;
const split: readonly 'split'[] = ['split'];

/** One level on top of what is resolved above it. Entries follow what the gateway of the seed offers, if there is one. */
export function resolve(
  document: Platform | Seed | Datacenter | Cluster,
  above: Resolved | undefined,
  seed: Seed | undefined,
): Resolved {
  const level = levelOf(document);
  const levels = above === undefined ? [level] : [level, ...above.levels];
  const proxies = level.spec.proxy === undefined && above !== undefined ? fromAbove(above) : fromLevels(levels);
  const facts: DefaultFacts = {
    ipFamily: level.spec.network?.ipFamily ?? above?.effective.ipFamily ?? 'IPv4',
    offers: seed?.spec.gateway.offers ?? split,
    hasProxy: proxies.proxy !== undefined,
    kubernetesMinor: document.kind === 'Cluster' ? minorOf(document.spec.kubernetesVersion) : newestMinor,
  };
  const settings: Record<string, Setting> = {};
  for (const leaf of leaves) {
    const setting = settingOf(leaf, level, above?.settings[leaf.key], facts);
    if (setting !== undefined) settings[leaf.key] = setting;
  }
  if (proxies.setting !== undefined) settings.proxy = proxies.setting;
  if (proxies.exempt !== undefined) settings['proxy.noProxy'] = proxies.exempt;
  return { settings, levels, effective: { ...valuesIn(settings), proxy: proxies.proxy, noProxy: proxies.noProxy } };
}

interface Proxies extends Pick<Effective, 'proxy' | 'noProxy'> {
  readonly setting: Setting | undefined;
  readonly exempt: Setting | undefined;
}

const fromAbove = ({ effective: { proxy, noProxy }, settings }: Resolved): Proxies => ({
  proxy,
  noProxy,
  setting: settings.proxy,
  exempt: settings['proxy.noProxy'],
});

function fromLevels(levels: readonly Level[]): Proxies {
  const { entries, setting: exempt } = resolveNoProxy(levels);
  return { ...resolveProxy(levels), noProxy: entries, exempt };
}

/** True when the document changes nothing of what it inherits. */
export const setsNothing = (cluster: Cluster): boolean =>
  cluster.spec.proxy === undefined && leaves.every((leaf) => leaf.read(cluster.spec) === undefined);

export const minorOf = (version: string): number => Number(version.split('.')[1]);

function settingOf(leaf: Leaf, level: Level, above: Setting | undefined, facts: DefaultFacts): Setting | undefined {
  const value = leaf.read(level.spec);
  // A default is no one's choice, so it is asked for again: it may depend on what is set below.
  const inherited = above?.from.level === 'default' ? undefined : above;
  if (value === undefined) return inherited ?? defaultOf(leaf.fallback(facts), above);
  const from = fieldIn(level, leaf.key);
  if (inherited === undefined) return { value, from };
  const { overrode = [], ...nearest } = inherited;
  return { value, from, overrode: [nearest, ...overrode] };
}

/** Mostly that of the level above, which is shared then. */
function defaultOf(value: unknown, above: Setting | undefined): Setting | undefined {
  if (value === undefined) return undefined;
  return above?.from.level === 'default' && above.value === value ? above : { value, from: byDefault };
}

/** What is set field by field; proxies are inherited as blocks. */
type SettingValues = Omit<Effective, 'proxy' | 'noProxy'>;

/** The leaves were checked by the schema; here, and only here, they get their names and types back. */
function valuesIn(settings: SettingRecord): SettingValues {
  const get = <Key extends keyof Effective>(key: string): Effective[Key] => settings[key]?.value as Effective[Key];
  return {
    exposeStrategy: get<'exposeStrategy'>('exposeStrategy'),
    entry: get<'entry'>('workers.entry'),
    route: get<'route'>('workers.route'),
    agent: get<'agent'>('workers.agent'),
    ipFamily: get<'ipFamily'>('network.ipFamily'),
    pods: get<'pods'>('network.pods'),
    services: get<'services'>('network.services'),
    dnsDomain: get<'dnsDomain'>('network.dnsDomain'),
    nodeLocalDNS: get<'nodeLocalDNS'>('network.nodeLocalDNS'),
    agentIP: get<'agentIP'>('network.agentIP'),
    cni: get<'cni'>('network.cni'),
    proxyMode: get<'proxyMode'>('network.proxyMode'),
    allowedSourceRanges: get<'allowedSourceRanges'>('limits.allowedSourceRanges'),
    maxConnections: get<'maxConnections'>('limits.maxConnections'),
    connectionsPerSecond: get<'connectionsPerSecond'>('limits.connectionsPerSecond'),
    idleTimeout: get<'idleTimeout'>('limits.idleTimeout'),
    halfClosedTimeout: get<'halfClosedTimeout'>('limits.halfClosedTimeout'),
    replicas: get<'replicas'>('konnectivity.replicas'),
    agents: get<'agents'>('konnectivity.agents'),
    keepalive: get<'keepalive'>('konnectivity.keepalive'),
    egressMode: get<'egressMode'>('egress.mode'),
    registry: get<'registry'>('registry'),
    podSecurity: get<'podSecurity'>('podSecurity'),
  };
}
