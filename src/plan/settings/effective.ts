// The settings of one cluster after inheritance, as values. Where each came from is in `plan.settings`.
import type { z } from 'zod';
import type { inherited, PodSecurity, Strategy } from '../../model/schema/index.ts';

export type ProxyServer = Omit<NonNullable<z.infer<typeof inherited.proxy>>, 'enabled' | 'noProxy'> & {
  readonly from: string;
};
export type Registry = NonNullable<z.infer<typeof inherited.registry>>;

export interface Effective {
  readonly exposeStrategy: Strategy;
  readonly entry: 'split' | 'single';
  readonly route: 'direct' | 'proxy';
  readonly agent: 'causeway' | 'envoy';
  readonly ipFamily: 'IPv4' | 'IPv4+IPv6';
  readonly pods: readonly string[];
  readonly services: readonly string[];
  readonly dnsDomain: string;
  readonly nodeLocalDNS: string;
  readonly agentIP: string;
  readonly cni: 'cilium' | 'canal' | 'calico' | 'flannel' | 'none';
  readonly proxyMode: 'ipvs' | 'iptables' | 'nftables' | 'ebpf';
  readonly allowedSourceRanges: readonly string[] | undefined;
  readonly maxConnections: number;
  readonly connectionsPerSecond: number;
  readonly idleTimeout: string;
  readonly halfClosedTimeout: string;
  readonly replicas: number;
  readonly agents: number;
  readonly keepalive: string;
  readonly egressMode: 'direct' | 'proxy' | 'offline';
  /** The proxy is inherited as one block, so that credentials never travel to another server. */
  readonly proxy: ProxyServer | undefined;
  /** Added up over all levels, not overridden. */
  readonly noProxy: readonly string[];
  readonly registry: Registry | undefined;
  /** Undefined where nobody has said it. */
  readonly podSecurity: PodSecurity | undefined;
}
