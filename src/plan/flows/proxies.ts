// Ways that lead through a corporate proxy.
import { memo, type PlanCache } from '../cache.ts';
import { proxyPlace } from '../places/ids.ts';
import type { Members } from '../places/members.ts';
import { proxyRemotes } from '../places/services.ts';
import type { Effective } from '../settings/effective.ts';
import type { FlowList } from './flow-list.ts';

export interface Proxy {
  /** Its place. */
  readonly id: string;
  readonly port: number;
}

export interface Proxies {
  /** For https:// targets and everything else that is asked for by CONNECT. */
  readonly secure: Proxy;
  /** For http:// targets. */
  readonly plain: Proxy;
}

const proxiesOf = memo((effective: Effective, cache): Proxies | undefined => {
  const [secure, plain = secure] = proxyRemotes(cache, effective).map((remote) => ({
    id: proxyPlace(remote),
    port: remote.port,
  }));
  return secure === undefined || plain === undefined ? undefined : { secure, plain };
});

/** The proxy that workers reach their control plane through; nothing where they reach it themselves. */
export const gatewayProxyOf = (cache: PlanCache, effective: Effective): Proxy | undefined =>
  effective.route === 'proxy' ? proxiesOf(cache, effective)?.secure : undefined;

/** Proxies for what is fetched; nothing where no proxy stands in the way. */
export const egressProxiesOf = (cache: PlanCache, effective: Effective): Proxies | undefined =>
  effective.egressMode === 'proxy' ? proxiesOf(cache, effective) : undefined;

/** Row of the catalogue that asks for the way to a proxy. */
export const proxyRow = 'PRX-1';

export const hopToProxy = (list: FlowList, from: string, proxy: Proxy, members: Members | undefined): void =>
  list.add({
    from,
    to: proxy.id,
    ports: [proxy.port],
    reason: 'What may not leave directly goes through the corporate proxy.',
    requirement: proxyRow,
    members,
  });
