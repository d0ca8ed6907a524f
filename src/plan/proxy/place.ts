// The proxy of one place.
import type { PlaceProxy } from '../schema/index.ts';
import type { Effective, ProxyServer } from '../settings/effective.ts';

export type Places = Record<string, PlaceProxy>;

/** Downloads that go elsewhere must not be sent to a proxy only because one is known. */
export const downloadProxyOf = ({ proxy, egressMode }: Effective): ProxyServer | undefined =>
  egressMode === 'proxy' ? proxy : undefined;

export function placeProxy(proxy: ProxyServer, noProxy: string[]): PlaceProxy {
  const { http, https, credentials, trustBundle, from } = proxy;
  // Filled field by field: objects that are spread together take twice the memory, and every cluster has two.
  const place: Partial<PlaceProxy> = {};
  if (http !== undefined) place.http = http;
  if (https !== undefined) place.https = https;
  if (credentials !== undefined) place.credentials = credentials;
  if (trustBundle !== undefined) place.trustBundle = trustBundle;
  place.noProxy = noProxy;
  place.from = from;
  return place as PlaceProxy;
}
