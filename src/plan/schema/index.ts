// The plan: one versioned JSON document that everything else reads and nothing else computes.
import { z } from 'zod';
import * as parts from './parts.ts';

export const planFormat = 'causeway.dev/plan/v1alpha1';

export const planSchema = z.strictObject({
  format: z.literal(planFormat),
  platform: z.strictObject({ name: z.string(), domain: z.string() }),
  places: z.record(z.string(), parts.place),
  settings: parts.settings,
  endpoints: z.record(z.string(), parts.endpoint).describe('Per cluster.'),
  flows: z.array(parts.flow),
  dns: parts.dns,
  certificates: z.array(parts.certificate),
  addresses: parts.addresses,
  egress: parts.egress,
  proxy: parts.proxy,
  gateway: z.record(z.string(), parts.gatewaySnapshot).describe('Per seed.'),
  konnectivity: z.record(z.string(), parts.konnectivity).describe('Per cluster.'),
  requirements: z.array(parts.requirement),
});

export type Plan = z.infer<typeof planSchema>;
export type Place = z.infer<typeof parts.place>;
export type Setting = z.infer<typeof parts.setting>;
export type Settings = z.infer<typeof parts.settings>;
export type Endpoint = z.infer<typeof parts.endpoint>;
export type Flow = z.infer<typeof parts.flow>;
export type Dns = z.infer<typeof parts.dns>;
export type DnsRecord = z.infer<typeof parts.dnsRecord>;
export type Certificate = z.infer<typeof parts.certificate>;
export type Addresses = z.infer<typeof parts.addresses>;
export type PoolPlan = z.infer<typeof parts.poolPlan>;
export type NodePortPlan = z.infer<typeof parts.nodePortPlan>;
export type Egress = z.infer<typeof parts.egress>;
export type EgressEntry = z.infer<typeof parts.egressEntry>;
export type PlaceProxy = z.infer<typeof parts.placeProxy>;
export type Reachability = z.infer<typeof parts.reachability>;
export type ProxyPlan = z.infer<typeof parts.proxy>;
export type GatewayCluster = z.infer<typeof parts.gatewayCluster>;
export type GatewaySnapshot = z.infer<typeof parts.gatewaySnapshot>;
export type KonnectivityPlan = z.infer<typeof parts.konnectivity>;
export type Requirement = z.infer<typeof parts.requirement>;
