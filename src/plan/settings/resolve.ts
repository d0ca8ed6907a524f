// Inheritance: Platform → Seed → Datacenter → Cluster, the most specific document wins, and it is written down who won.
import type { Cluster, Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import type { Setting } from '../schema/index.ts';
import type { Effective } from './effective.ts';
import { type DefaultFacts, type Leaf, type Level, leaves, levelOf } from './leaves.ts';
import { resolveNoProxy, resolveProxy } from './proxy.ts';

export interface Resolved {
  readonly effective: Effective;
  /** Provenance, by setting. */
  readonly settings: Readonly<Record<string, Setting>>;
}

export interface Chain {
  readonly platform: Platform;
  readonly seed?: Seed;
  readonly datacenter?: Datacenter;
  readonly cluster?: Cluster;
}

/** Kubernetes minor that defaults follow where no cluster says one. */
const newestMinor = 36;

export function resolve(chain: Chain): Resolved {
  const documents = [chain.cluster, chain.datacenter, chain.seed, chain.platform].filter((d) => d !== undefined);
  const levels = documents.map(levelOf);
  const { proxy, setting: proxySetting } = resolveProxy(levels);
  const { entries, setting: noProxySetting } = resolveNoProxy(levels);
  const facts: DefaultFacts = {
    ipFamily: levels.find((level) => level.spec.network?.ipFamily !== undefined)?.spec.network?.ipFamily ?? 'IPv4',
    offers: chain.seed?.spec.gateway.offers ?? ['split'],
    hasProxy: proxy !== undefined,
    kubernetesMinor: chain.cluster === undefined ? newestMinor : minorOf(chain.cluster.spec.kubernetesVersion),
  };
  const settings: Record<string, Setting> = {};
  for (const leaf of leaves) {
    const setting = resolveLeaf(leaf, levels, facts);
    if (setting !== undefined) settings[leaf.key] = setting;
  }
  if (proxySetting !== undefined) settings.proxy = proxySetting;
  if (noProxySetting !== undefined) settings['proxy.noProxy'] = noProxySetting;
  return { settings, effective: toEffective((key) => settings[key]?.value, proxy, entries) };
}

/** True when the document changes nothing of what it inherits. */
export const setsNothing = (cluster: Cluster): boolean =>
  leaves.every((leaf) => leaf.read(cluster.spec) === undefined) && cluster.spec.proxy === undefined;

export const minorOf = (version: string): number => Number(version.split('.')[1]);

function resolveLeaf(leaf: Leaf, levels: readonly Level[], facts: DefaultFacts): Setting | undefined {
  const [winner, ...others] = levels.filter((level) => leaf.read(level.spec) !== undefined);
  if (winner === undefined) {
    const value = leaf.fallback(facts);
    return value === undefined ? undefined : { value, from: 'default' };
  }
  const said = (level: Level): { value: unknown; from: string } => ({
    value: leaf.read(level.spec),
    from: `${level.label} spec.${leaf.key}`,
  });
  return others.length === 0 ? said(winner) : { ...said(winner), overrode: others.map(said) };
}

function toEffective(
  value: (key: string) => unknown,
  proxy: Effective['proxy'],
  noProxy: readonly string[],
): Effective {
  // The leaves were checked by the schema; here they only get their names and types back.
  const get = <Key extends keyof Effective>(key: string): Effective[Key] => value(key) as Effective[Key];
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
    replicas: get<'replicas'>('konnectivity.replicas'),
    agents: get<'agents'>('konnectivity.agents'),
    keepalive: get<'keepalive'>('konnectivity.keepalive'),
    egressMode: get<'egressMode'>('egress.mode'),
    proxy,
    noProxy,
    registry: get<'registry'>('registry'),
  };
}
