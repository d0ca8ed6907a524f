// The plan: one versioned JSON document that everything else reads and nothing else computes.
import { z } from 'zod';
import type { Installation } from '../installation/index.ts';
import type { Effective } from '../settings/effective.ts';
import type { SettingRecord } from '../settings/origin.ts';
import * as parts from './parts.ts';
import * as serving from './serving.ts';

export const planFormat = 'causeway.dev/plan/v1alpha1';

export const planSchema = z.strictObject({
  format: z.literal(planFormat).describe('Version of the format.'),
  platform: z
    .strictObject({ name: z.string().describe('Name of the Platform.'), domain: z.string().describe('Its domain.') })
    .describe('Which platform this is.'),
  places: z.record(z.string(), parts.place).describe('Places that flows, records and certificates name, by id.'),
  settings: parts.settings.describe('Effective settings after inheritance, and where each came from.'),
  endpoints: z.record(z.string(), parts.endpoint).describe('How each cluster is reached.'),
  paths: z.record(z.string(), parts.path).describe('Connections of each cluster, on exactly the ports it uses.'),
  flows: z.array(parts.flow).describe('Connections that firewalls must allow.'),
  dns: parts.dns.describe('Names that must exist.'),
  certificates: z.array(parts.certificate).describe('Certificates that are needed, each with all its names.'),
  addresses: parts.addresses.describe('Virtual IPs and node ports: what is needed, and what was chosen.'),
  egress: parts.egress.describe('Allow-list: what is fetched from the internet or the private registry.'),
  proxy: parts.proxy.describe('Corporate proxy: who uses it, and what bypasses it.'),
  gateway: z.record(z.string(), serving.gatewaySnapshot).describe('What the gateway of each seed serves.'),
  konnectivity: z.record(z.string(), serving.konnectivity).describe('Konnectivity server and agents of each cluster.'),
  requirements: z.array(parts.requirement).describe('Rows of the requirements catalogue that apply.'),
});

/** The plan as it is printed. */
export type PlanDocument = z.infer<typeof planSchema>;
/** Settings with where they come from, as data; see `planDocument` for what is printed. */
export interface PlanSettings {
  readonly platform: SettingRecord;
  readonly seeds: Readonly<Record<string, SettingRecord>>;
  readonly datacenters: Readonly<Record<string, SettingRecord>>;
  readonly clusters: Readonly<Record<string, SettingRecord>>;
}
/** The plan as consumers in this program read it. */
export interface Plan extends Omit<PlanDocument, 'settings'> {
  /** Effective settings after inheritance, and where each came from. */
  readonly settings: PlanSettings;
  /** The same of each cluster, by name and type. */
  readonly effective: Readonly<Record<string, Effective>>;
  /** Facts for artefacts; internal, so that no script relies on them. */
  readonly installation: Installation;
}

export type Place = z.infer<typeof parts.place>;
export type Endpoint = z.infer<typeof parts.endpoint>;
export type Path = z.infer<typeof parts.path>;
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
export type GatewayCluster = z.infer<typeof serving.gatewayCluster>;
export type GatewaySnapshot = z.infer<typeof serving.gatewaySnapshot>;
export type KonnectivityPlan = z.infer<typeof serving.konnectivity>;
export type Requirement = z.infer<typeof parts.requirement>;
