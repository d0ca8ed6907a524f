// Port numbers, from the manifests where they are set. Nothing else in the plan knows a number.
import type { Platform, Seed } from '../model/schema/index.ts';
import type { ClusterContext } from './context.ts';

/** Of the Services in the seed that stand before both servers of a cluster. */
export const servicePort = 443;
export const apiPortOf = (api: { readonly port?: number | undefined }): number => api.port ?? 6443;
export const ingressPortOf = (platform: Platform): number => platform.spec.ingress.httpsPort ?? 443;
export const ingressHttpPortOf = (platform: Platform): number => platform.spec.ingress.httpPort ?? 80;
export const nodePortRangeOf = (seed: Seed): string => seed.spec.gateway.nodePortRange ?? '30000-32767';
/** Node ports inside user clusters, which a KubeLB hub sends traffic to. */
export const userNodePortRange = '30000-32767';

export interface GatewayPorts {
  readonly sni: number;
  readonly tunnel: number;
  readonly single: number;
  readonly offersSplit: boolean;
  readonly offersSingle: boolean;
}

export function gatewayPortsOf(seed: Seed): GatewayPorts {
  const { ports, offers = ['split'] } = seed.spec.gateway;
  return {
    sni: ports?.sni ?? 6443,
    tunnel: ports?.tunnel ?? 8088,
    single: ports?.single ?? 443,
    offersSplit: offers.includes('split'),
    offersSingle: offers.includes('single'),
  };
}

/** Port by SNI for users and the platform: the split one where it is offered. */
export function userPortOf(seed: Seed): number {
  const ports = gatewayPortsOf(seed);
  return ports.offersSplit ? ports.sni : ports.single;
}

/** Port by SNI for the workers of a cluster. */
export function workerPortOf(c: ClusterContext): number {
  const ports = gatewayPortsOf(c.seed);
  return c.effective.entry === 'single' ? ports.single : ports.sni;
}

/** Port of the tunnel for the workers of a cluster. */
export function tunnelPortOf(c: ClusterContext): number {
  const ports = gatewayPortsOf(c.seed);
  return c.effective.entry === 'single' ? ports.single : ports.tunnel;
}
