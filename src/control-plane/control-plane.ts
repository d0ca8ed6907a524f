// What a control plane is built from, and what others may ask of it. Pure descriptions; making them is in the files beside.

import type { PodSecurity, Seed } from '../model/schema/index.ts';
import type { Certificate, Endpoint, KonnectivityPlan } from '../plan/schema/index.ts';
import type { ControlPlaneSize } from './components/index.ts';

/** One managed cluster, as the plan wants it and as its runtime can have it. */
export interface ControlPlaneInput {
  readonly cluster: string;
  readonly kubernetesVersion: string;
  readonly endpoint: Endpoint;
  readonly konnectivity: KonnectivityPlan;
  /** Names and addresses that the two certificates must have. */
  readonly certificates: { readonly apiServer: Certificate; readonly konnectivity: Certificate };
  readonly network: {
    readonly pods: readonly string[];
    readonly services: readonly string[];
    readonly dnsDomain: string;
  };
  readonly size: ControlPlaneSize;
  /** Absent: as the cluster was made. */
  readonly podSecurity?: PodSecurity;
  /** Who signs people's tokens, if the platform says so. */
  readonly oidc?: { readonly issuer: string; readonly clientId: string; readonly ca?: string };
  /** The bucket of its backups; absent: this machine's disk. */
  readonly backup?: NonNullable<Seed['spec']['backup']>['s3'];
}

/** How a client gets to an API server: directly, or by one of the ways of its strategy. */
export interface Access {
  /** https://host:port */
  readonly server: string;
  /** Name to send and to look for, where it is not the host of `server`. */
  readonly serverName?: string;
  /** http://user:password@host:port */
  readonly proxy?: string;
}
