// Who is asked who a user is: an own provider, or the sources that Dex brokers.
import { isWithin } from '../../core/names.ts';
import type { Platform } from '../../model/schema/index.ts';
import { ingressPortOf } from '../ports.ts';
import { type Remote, remoteOfEndpoint, remoteOfUrl } from './remote.ts';

type Connector = NonNullable<NonNullable<NonNullable<Platform['spec']['authentication']>['dex']>['connectors']>[number];

/** Sources in the internet have no endpoint here; they are part of the allow-list. */
export const connectorRemote = ({ endpoint }: Connector): Remote | undefined =>
  endpoint === undefined ? undefined : remoteOfEndpoint(endpoint);

export const connectorsOf = ({ spec }: Platform): readonly Connector[] => spec.authentication?.dex?.connectors ?? [];

/** An issuer that does not stand behind the ingress of the platform. */
export function outsideIssuer({ spec }: Platform): Remote | undefined {
  const { external, dex } = spec.authentication ?? {};
  if (external !== undefined) return remoteOfUrl(external.issuer);
  const issuer = dex?.issuer === undefined ? undefined : remoteOfUrl(dex.issuer);
  return issuer === undefined || isWithin(issuer.host, spec.domain) ? undefined : issuer;
}

/** As clients must spell it, to the letter: that of an own provider, or of Dex behind the ingress. */
export function issuerUrlOf(platform: Platform): string {
  const { external, dex } = platform.spec.authentication ?? {};
  const port = ingressPortOf(platform);
  const host = port === 443 ? platform.spec.domain : `${platform.spec.domain}:${port}`;
  return external?.issuer ?? dex?.issuer ?? `https://${host}/dex`;
}

export function identityRemotes(platform: Platform): Remote[] {
  const issuer = outsideIssuer(platform);
  const sources = connectorsOf(platform).flatMap((connector) => connectorRemote(connector) ?? []);
  return issuer === undefined ? sources : [issuer, ...sources];
}
