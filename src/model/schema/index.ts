// The resources. Everything else about them (types, JSON Schema, CRDs, reference, messages) is derived from here.
import { z } from 'zod';
import { forAdmins, forOperators } from './access.ts';
import { addressPoolSpec } from './address-pool.ts';
import { clusterSpec } from './cluster.ts';
import { datacenterSpec } from './datacenter.ts';
import { platformSpec } from './platform.ts';
import * as s from './scalars.ts';
import { seedSpec } from './seed.ts';

export const apiVersion = 'causeway.dev/v1alpha1';

const notes = forOperators(z.record(z.string(), z.string()), 'nothing acts on them');
const metadata = z.strictObject({
  name: s.name.describe('Name, unique for its kind.'),
  labels: notes.optional().describe('Labels, as on any Kubernetes object.'),
  annotations: notes.optional().describe('Annotations, as on any Kubernetes object.'),
});

const resource = <Kind extends string, Spec extends z.ZodType>(kind: Kind, spec: Spec) =>
  z.strictObject({
    apiVersion: z.literal(apiVersion).describe('Version of the format.'),
    kind: z.literal(kind).describe('Kind of the document.'),
    metadata: metadata.describe('Name and labels.'),
    spec,
  });

export const schemas = {
  // It says who may do what, so all of it is for admins.
  Platform: forAdmins(resource('Platform', platformSpec)),
  Seed: resource('Seed', seedSpec),
  Datacenter: resource('Datacenter', datacenterSpec),
  Cluster: resource('Cluster', clusterSpec),
  AddressPool: resource('AddressPool', addressPoolSpec),
} as const;

export type Kind = keyof typeof schemas;
export const kinds = Object.keys(schemas) as Kind[];

export type Platform = z.infer<typeof schemas.Platform>;
export type Seed = z.infer<typeof schemas.Seed>;
export type Datacenter = z.infer<typeof schemas.Datacenter>;
export type Cluster = z.infer<typeof schemas.Cluster>;
export type AddressPool = z.infer<typeof schemas.AddressPool>;
export type Resource = Platform | Seed | Datacenter | Cluster | AddressPool;

/** All documents of one platform, each list sorted by name. Documents are never changed, only replaced. */
export interface Model {
  readonly platform: Platform;
  readonly seeds: readonly Seed[];
  readonly datacenters: readonly Datacenter[];
  readonly clusters: readonly Cluster[];
  readonly pools: readonly AddressPool[];
}
export { loadBalancer, type SecretRef } from './blocks.ts';
export { inherited, type PodSecurity, podSecurityLevels, type Strategy, strategies } from './inherited.ts';
export { type ProviderName, providerNames } from './providers.ts';
