// The proxy of one place.
import type { PlaceProxy } from '../schema/index.ts';
import type { Effective, ProxyServer } from '../settings/effective.ts';

export type Places = Record<string, PlaceProxy>;

/** Downloads that go elsewhere must not be sent to a proxy only because one is known. */
export const downloadProxyOf = ({ proxy, egressMode }: Effective): ProxyServer | undefined =>
  egressMode === 'proxy' ? proxy : undefined;

export function placeProxy(proxy: ProxyServer, noProxy: string[]): PlaceProxy {
  const { http, https, credentials, trustBundle, from } = proxy;
  return {
    ...(http === undefined ? {} : { http }),
    ...(https === undefined ? {} : { https }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(trustBundle === undefined ? {} : { trustBundle }),
    noProxy,
    from,
  };
}
