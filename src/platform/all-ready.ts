import type { PlatformView } from './view.ts';

/** Every cluster, and the gateways, without which nobody reaches one that is made later. */
export function isAllReady({ plan, clusters, components }: PlatformView): boolean {
  const well = new Set(components.filter(({ healthy }) => healthy).map(({ scope, name }) => `${scope}/${name}`));
  const gateways = Object.keys(plan?.gateway ?? {}).map((seed) => `platform/gateway-${seed}`);
  return plan !== undefined && clusters.every(({ ready }) => ready) && gateways.every((gateway) => well.has(gateway));
}
