// Services that the platform uses and somebody else runs.

import type { Platform } from '../../model/schema/index.ts';
import { memo } from '../cache.ts';
import type { PlanContext } from '../context.ts';
import type { Place } from '../schema/index.ts';
import type { Effective } from '../settings/effective.ts';
import { platformSettings, seedSettings } from '../settings/index.ts';
import { identityRemotes } from './identity.ts';
import * as id from './ids.ts';
import { placeOf, unique } from './place.ts';
import { type Remote, remoteOfEndpoint, remoteOfGit, remoteOfUrl } from './remote.ts';
import { usesOf } from './uses.ts';

export function servicePlaces({ model: { platform } }: PlanContext): Place[] {
  const { configRepository } = platform.spec;
  const identity = identityRemotes(platform);
  return [
    ...(identity.length === 0 ? [] : [remotePlace(id.identityProvider, 'Identity provider', identity)]),
    ...(configRepository === undefined
      ? []
      : [remotePlace(id.configRepository, 'Configuration repository', [remoteOfGit(configRepository.url)])]),
    ...keyStorePlaces(configRepository),
  ];
}

function keyStorePlaces(repository: Platform['spec']['configRepository']): Place[] {
  const store = repository?.keyStore;
  if (store?.vault !== undefined) return [remotePlace(id.keyStore, 'Key store', [remoteOfUrl(store.vault.address)])];
  return store?.other === undefined ? [] : [remotePlace(id.keyStore, `Key store: ${store.other}`, [])];
}

/** Proxies and registries of all levels, because a cluster may have its own. */
export function downloadPlaces(ctx: PlanContext): Place[] {
  const settings = allSettings(ctx);
  const proxies = new Map(
    settings.flatMap((effective) => proxyRemotes(ctx.cache, effective)).map((proxy) => [id.proxyPlace(proxy), proxy]),
  );
  const registries = unique(settings.map((effective) => effective.registry)).flatMap(registryRemotes);
  return [
    ...(registries.length === 0 ? [] : [remotePlace(id.registry, 'Private registry', registries)]),
    ...[...proxies.keys()].sort().map((key) => remotePlace(key, 'Corporate proxy', [proxies.get(key)])),
  ];
}

const allSettings = (ctx: PlanContext): Effective[] =>
  unique([
    platformSettings(ctx).effective,
    ...ctx.model.seeds.map((seed) => seedSettings(ctx, seed).effective),
    ...usesOf(ctx).datacenters.flatMap((use) => use.groups.map((group) => group.effective)),
  ]);

/** Proxy for https:// targets first; a block that names one proxy means it for both schemes. */
export const proxyRemotes = memo(({ proxy }: Effective): readonly Remote[] => {
  const urls = unique([proxy?.https ?? proxy?.http, proxy?.http ?? proxy?.https]);
  return urls.flatMap((url) => (url === undefined ? [] : (remoteOfUrl(url) ?? [])));
});

export function registryRemotes(registry: Effective['registry']): Remote[] {
  const mirrors = [registry?.binaries, registry?.packages].flatMap((url) =>
    url === undefined ? [] : (remoteOfUrl(url) ?? []),
  );
  return registry?.host === undefined ? mirrors : [remoteOfEndpoint(registry.host), ...mirrors];
}

const remotePlace = (place: string, title: string, remotes: readonly (Remote | undefined)[]): Place =>
  placeOf(place, title, { hosts: remotes.flatMap((remote) => (remote === undefined ? [] : [remote.host])) });
