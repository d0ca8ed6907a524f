// Hosts that the matrix lets be reached directly. A proxy that is known must not get their traffic.
import type { Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import type { PlanCache } from '../cache.ts';
import { identityRemotes, outsideIssuer } from '../places/identity.ts';
import { providerApi } from '../places/provider-api.ts';
import { remoteOfUrl } from '../places/remote.ts';

/** vCenter, Keystone and the like stand in the company; public clouds are the proxy's business. */
export function privateProviderHosts(cache: PlanCache, platform: Platform, datacenter: Datacenter): readonly string[] {
  const api = providerApi(cache, platform, datacenter);
  return api === undefined || api.isPublic ? [] : api.hosts;
}

export const masterHosts = (platform: Platform): string[] => identityRemotes(platform).map((remote) => remote.host);

export function seedHosts(
  cache: PlanCache,
  platform: Platform,
  seed: Seed,
  datacenters: readonly Datacenter[],
): string[] {
  const own = datacenters.filter((datacenter) => datacenter.spec.seed === seed.metadata.name);
  return [
    ...hostOf(outsideIssuer(platform)),
    ...hostOf(remoteOfUrl(seed.spec.backup?.s3?.endpoint ?? '')),
    ...own.flatMap((datacenter) => privateProviderHosts(cache, platform, datacenter)),
  ];
}

const hostOf = (remote: { readonly host: string } | undefined): string[] => (remote === undefined ? [] : [remote.host]);
