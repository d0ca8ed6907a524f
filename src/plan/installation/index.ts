// What artefacts say of the installation beyond its network: facts of the documents that renderers need, so that they need
// no document. Per platform, seed and datacenter, never per cluster; not part of the plan that is printed.
import type { z } from 'zod';
import { usesGatewayApi } from '../../model/index.ts';
import type { AddressPool, Datacenter, loadBalancer, Model, Platform, Seed } from '../../model/schema/index.ts';
import { memoLast } from '../cache.ts';
import type { PlanContext } from '../context.ts';
import { documentedAnswers } from './answers.ts';
import { type OpenDecision, openDecisions } from './decisions.ts';

export type { SecretRef } from '../../model/schema/index.ts';
export { type Answers, mergedAnswers } from './answers.ts';
export type { OpenDecision } from './decisions.ts';

export type LoadBalancer = z.infer<typeof loadBalancer>;
export type CertificateSource = NonNullable<Platform['spec']['certificates']>;
type Azure = NonNullable<Datacenter['spec']['provider']['azure']>;

export interface Installation {
  /** What the manifests say about rows of the catalogue, in a few words. Rows without an answer are absent. */
  readonly answers: Readonly<Record<string, readonly string[]>>;
  /** Questions that the manifests leave open. */
  readonly decisions: readonly OpenDecision[];
  /** Networks of the company that are neither the platform's nor the Internet. */
  readonly corporateNetworks: readonly string[];
  /** Authoritative servers of the zone, by name or address. */
  readonly nameServers: readonly string[];
  readonly issuing: Issuing;
  /** Seeds, then datacenters. */
  readonly sites: readonly Site[];
}

/** What issuers of certificates are made from. */
export interface Issuing {
  /** Absent while it is not decided. */
  readonly source?: CertificateSource;
  /** Challenges by HTTP are answered by a Gateway, otherwise by the ingress controller. */
  readonly gatewayApi: boolean;
  /** Account that holds machines, and probably the zone too. */
  readonly azure?: Azure;
}

/** A seed or a datacenter, as its load balancer and its routers see it. */
export interface Site {
  readonly kind: 'Seed' | 'Datacenter';
  readonly name: string;
  /** Seed of a datacenter; of a seed, itself. */
  readonly seed: string;
  /** A datacenter that has the seed beside it, and not only workers. */
  readonly hasOwnSeed: boolean;
  readonly nodeNetworks: readonly string[];
  readonly tenantNetworks: readonly string[];
  readonly loadBalancer?: LoadBalancer;
  readonly pools: readonly SitePool[];
  /** Addresses that manifests fix by hand. */
  readonly fixedAddresses: readonly string[];
}

export interface SitePool {
  readonly name: string;
  readonly ranges: readonly string[];
  readonly exclude: readonly string[];
}

type Documents = Pick<Model, 'platform' | 'seeds' | 'datacenters' | 'pools'>;

export const installationOf = (documents: Documents): Installation => ({
  answers: documentedAnswers(documents),
  decisions: openDecisions(documents),
  corporateNetworks: documents.platform.spec.corporateNetworks ?? [],
  nameServers: documents.platform.spec.dns?.authoritative ?? [],
  issuing: issuingOf(documents),
  sites: [
    ...documents.seeds.map((seed) => seedSite(seed, documents)),
    ...documents.datacenters.map((datacenter) => datacenterSite(datacenter, documents.pools)),
  ],
});

const lastInstallation = memoLast<Platform, Installation>();

export function planInstallation({ cache, model }: PlanContext): Installation {
  const { platform, seeds, datacenters, pools } = model;
  return lastInstallation(cache, platform, [...seeds, ...datacenters, ...pools], () => installationOf(model));
}

function issuingOf({ platform: { spec }, datacenters }: Documents): Issuing {
  const azure = datacenters.find((datacenter) => datacenter.spec.provider.azure !== undefined)?.spec.provider.azure;
  return {
    gatewayApi: usesGatewayApi(spec),
    ...(spec.certificates === undefined ? {} : { source: spec.certificates }),
    ...(azure === undefined ? {} : { azure }),
  };
}

const sitePool = ({ metadata, spec }: AddressPool): SitePool => ({
  name: metadata.name,
  ranges: spec.ranges,
  exclude: spec.exclude ?? [],
});

function seedSite({ kind, metadata: { name }, spec }: Seed, { platform, pools }: Documents): Site {
  const { master, ingress } = platform.spec;
  return {
    kind,
    name,
    seed: name,
    hasOwnSeed: false,
    nodeNetworks: spec.nodes.networks,
    tenantNetworks: [],
    ...(spec.loadBalancer === undefined ? {} : { loadBalancer: spec.loadBalancer }),
    pools: pools.filter((pool) => pool.spec.seed === name).map(sitePool),
    fixedAddresses: [...(spec.gateway.address.ips ?? []), ...(master.seed === name ? (ingress.address.ips ?? []) : [])],
  };
}

const datacenterSite = ({ kind, metadata: { name }, spec }: Datacenter, pools: readonly AddressPool[]): Site => ({
  kind,
  name,
  seed: spec.seed,
  hasOwnSeed: spec.integration === 'II',
  nodeNetworks: spec.nodes.networks,
  tenantNetworks: (spec.tenants ?? []).flatMap(({ networks }) => networks),
  ...(spec.loadBalancer === undefined ? {} : { loadBalancer: spec.loadBalancer }),
  pools: pools.filter((pool) => pool.spec.datacenter === name).map(sitePool),
  fixedAddresses: [],
});
