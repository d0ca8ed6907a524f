// From the plan to what a control plane is built from.

import { type ControlPlaneInput, oneOfEach } from '../../control-plane/index.ts';
import { memo } from '../../core/memo.ts';
import type { Cluster, Model } from '../../model/schema/index.ts';
import type { Planned } from '../../plan/index.ts';
import type { Certificate, Plan } from '../../plan/schema/index.ts';
import { settingsOf } from '../../plan/settings/index.ts';

export const isManaged = (cluster: Cluster): boolean => cluster.spec.controlPlane?.external === undefined;

export type { Planned };

/** What no plan can know. */
interface BesidesPlan {
  /** PEM: authorities of the OIDC issuer. @default those of the system */
  readonly issuerCa?: string | undefined;
}

/** Undefined for a cluster whose datacenter or seed is not there: then the manifests are broken anyway. */
export function controlPlaneInput(
  { model, plan }: Planned,
  cluster: Cluster,
  { issuerCa }: BesidesPlan = {},
): ControlPlaneInput | undefined {
  const name = cluster.metadata.name;
  const certificateOf = (service: string): Certificate | undefined => certificatesOf(plan).get(`${service}-${name}`);
  const [endpoint, konnectivity] = [plan.endpoints[name], plan.konnectivity[name]];
  const [apiServer, ofKonnectivity] = [certificateOf('apiserver'), certificateOf('konnectivity')];
  if (!endpoint || !konnectivity || !apiServer || !ofKonnectivity) return undefined;
  const oidc = oidcOf(model);
  const backup = model.seeds.find(({ metadata }) => metadata.name === endpoint.seed)?.spec.backup?.s3;
  return {
    cluster: name,
    kubernetesVersion: cluster.spec.kubernetesVersion,
    endpoint,
    konnectivity,
    certificates: { apiServer, konnectivity: ofKonnectivity },
    network: networkOf(plan, name),
    ...podSecurityOf(plan, name),
    ...(oidc === undefined ? {} : { oidc: { ...oidc, ...(issuerCa === undefined ? {} : { ca: issuerCa }) } }),
    ...(backup === undefined ? {} : { backup }),
    // As many as this machine runs of each.
    size: oneOfEach,
  };
}

const certificatesOf = memo(
  (plan: Plan) => new Map(plan.certificates.map((certificate) => [certificate.name, certificate])),
);

function networkOf(plan: Plan, cluster: string): ControlPlaneInput['network'] {
  const { pods, services, dnsDomain } = settingsOf(plan, cluster);
  return { pods, services, dnsDomain };
}

function podSecurityOf(plan: Plan, cluster: string): Pick<ControlPlaneInput, 'podSecurity'> {
  const { podSecurity } = settingsOf(plan, cluster);
  return podSecurity === undefined ? {} : { podSecurity };
}

/** Only one that was named: the default one is served by an installation that is not on this machine. */
export function oidcOf({ platform }: Model): ControlPlaneInput['oidc'] {
  const { external, dex } = platform.spec.authentication ?? {};
  if (external !== undefined) return { issuer: external.issuer, clientId: external.clientID };
  return dex?.issuer === undefined ? undefined : { issuer: dex.issuer, clientId: 'kubernetes' };
}
