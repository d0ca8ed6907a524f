// The interface that machines, volumes and load balancers of a datacenter are made with.

import type { Datacenter, Platform } from '../../model/schema/index.ts';
import { memoAll } from '../cache.ts';
import type { PlanContext } from '../context.ts';
import { linesOf } from '../egress/download.ts';
import { providerApis } from '../egress/tables/providers.ts';
import { unique } from './place.ts';
import { type Remote, remoteOfEndpoint, remoteOfUrl } from './remote.ts';

export interface ProviderApi {
  readonly title: string;
  readonly hosts: readonly string[];
  /** Sorted. */
  readonly ports: readonly number[];
  /** In the internet: behind a corporate proxy it is reached through that proxy. */
  readonly isPublic: boolean;
  /** Row that asks for access from the workers, where volumes and load balancers are managed there. */
  readonly workersRow: string | undefined;
}

/** Nothing for bare machines that no API makes. */
export const providerApi = memoAll((_, platform: Platform, datacenter: Datacenter): ProviderApi | undefined =>
  describe(platform, datacenter),
);
export const providerApiOf = (ctx: PlanContext, datacenter: Datacenter): ProviderApi | undefined =>
  providerApi(ctx.cache, ctx.model.platform, datacenter);

function describe(platform: Platform, { spec: { provider } }: Datacenter): ProviderApi | undefined {
  if (provider.vsphere !== undefined)
    return privateApi('vSphere API', 'VS-1', [remoteOfUrl(provider.vsphere.endpoint)]);
  if (provider.openstack !== undefined) {
    const services = (provider.openstack.serviceEndpoints ?? []).map(remoteOfEndpoint);
    return privateApi('OpenStack API', 'OS-1', [remoteOfUrl(provider.openstack.authURL), ...services]);
  }
  if (provider.azure !== undefined) return publicApi('Azure API', 'AZ-6', platform, provider);
  if (provider.aws !== undefined) return publicApi('AWS API', 'AWS-3', platform, provider);
  const endpoints = (provider.bare?.apiEndpoints ?? []).map(remoteOfEndpoint);
  return endpoints.length === 0 ? undefined : privateApi('Machine API', undefined, endpoints);
}

function privateApi(
  title: string,
  workersRow: string | undefined,
  remotes: readonly (Remote | undefined)[],
): ProviderApi {
  const known = remotes.filter((remote) => remote !== undefined);
  const ports = unique(known.map((remote) => remote.port)).sort((a, b) => a - b);
  return { title, hosts: unique(known.map((remote) => remote.host)), ports, isPublic: false, workersRow };
}

/** The hosts of the public clouds stand in the allow-list tables, and only there. */
function publicApi(
  title: string,
  workersRow: string | undefined,
  platform: Platform,
  provider: Datacenter['spec']['provider'],
): ProviderApi {
  const lines = linesOf(providerApis, {
    site: 'seed',
    platform: platform.spec,
    seed: undefined,
    provider,
    loadBalancer: undefined,
    operatingSystems: [],
    versions: [],
    cni: undefined,
    envoyAgent: false,
    monitored: false,
    mode: 'direct',
    registry: undefined,
  });
  return { title, hosts: unique(lines.map((line) => line.fixed.host)), ports: [443], isPublic: true, workersRow };
}
