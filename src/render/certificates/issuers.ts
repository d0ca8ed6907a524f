// The issuer that cert-manager needs for each way to get certificates.
import type { CertificateSource, Issuing } from '../../plan/installation/index.ts';
import type { Plan } from '../../plan/schema/index.ts';
import type { YamlDocument } from '../text/yaml.ts';
import { dns01Solver } from './dns01.ts';
import { secretOf } from './secrets.ts';

export interface Issuance {
  /** What certificates refer to. */
  readonly ref: { readonly name: string; readonly kind: string; readonly group: string };
  /** What has to exist for that. */
  readonly documents: readonly YamlDocument[];
}

const apiVersion = 'cert-manager.io/v1';
const group = 'cert-manager.io';
const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory';

/** Nothing where certificates are supplied as files, or nobody decided yet. */
export function issuanceOf(plan: Plan): Issuance | undefined {
  const { source } = plan.installation.issuing;
  if (source === undefined || source.file !== undefined) return undefined;
  if (source.issuer !== undefined) return existing(source.issuer);
  if (source.ca !== undefined) return fromCa(source.ca);
  if (source.selfSigned !== undefined) return selfSigned(plan.platform.name);
  return acme(plan, source);
}

const clusterIssuer = (name: string, spec: object, comment: readonly string[] = []): YamlDocument => ({
  comment,
  object: { apiVersion, kind: 'ClusterIssuer', metadata: { name }, spec },
});
const refTo = (name: string): Issuance['ref'] => ({ name, kind: 'ClusterIssuer', group });

const existing = (issuer: NonNullable<CertificateSource['issuer']>): Issuance => ({
  ref: { name: issuer.name, kind: issuer.kind ?? 'ClusterIssuer', group: issuer.group ?? group },
  documents: [],
});

function acme(plan: Plan, { acmeHTTP01, acmeDNS01 }: CertificateSource): Issuance | undefined {
  const settings = acmeHTTP01 ?? acmeDNS01;
  if (settings === undefined) return undefined;
  const http01 = { solver: { http01: http01Solver(plan.installation.issuing) }, notes: [] };
  const solved = acmeDNS01 === undefined ? http01 : dns01Solver(plan, acmeDNS01);
  const spec = {
    acme: {
      server: settings.server ?? letsEncrypt,
      ...(settings.email === undefined ? {} : { email: settings.email }),
      privateKeySecretRef: { name: 'causeway-acme-account' },
      solvers: [solved.solver],
    },
  };
  return { ref: refTo('causeway-acme'), documents: [clusterIssuer('causeway-acme', spec, solved.notes)] };
}

/** The entry that answers the challenge: a listener on port 80 of the platform's Gateway, or the ingress controller. */
const http01Solver = ({ gatewayApi }: Issuing): object =>
  gatewayApi
    ? {
        gatewayHTTPRoute: {
          parentRefs: [
            { group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace: 'kubermatic', name: 'kubermatic' },
          ],
        },
      }
    : { ingress: { ingressClassName: 'nginx' } };

function fromCa(ca: NonNullable<CertificateSource['ca']>): Issuance {
  const { name, note } = secretOf(ca.key, 'causeway-ca', 'tls.key');
  const notes = [note, `Secret ${name} also needs tls.crt: the certificate of the issuing CA, then its intermediates.`];
  return {
    ref: refTo('causeway-ca'),
    documents: [clusterIssuer('causeway-ca', { ca: { secretName: name } }, notes)],
  };
}

/** A self-signed root that lives long, so that clients have to be given one CA and not every certificate. */
function selfSigned(platform: string): Issuance {
  const secretName = 'causeway-ca';
  const root = {
    apiVersion,
    kind: 'Certificate',
    metadata: { name: 'causeway-ca', namespace: 'cert-manager' },
    spec: {
      isCA: true,
      commonName: `${platform} CA`.slice(-64),
      duration: '87600h',
      secretName,
      privateKey: { algorithm: 'ECDSA', size: 256 },
      issuerRef: refTo('causeway-self-signed'),
    },
  };
  return {
    ref: refTo('causeway-ca'),
    documents: [
      clusterIssuer('causeway-self-signed', { selfSigned: {} }),
      { comment: ['Every client must be given ca.crt of this Secret.'], object: root },
      clusterIssuer('causeway-ca', { ca: { secretName } }),
    ],
  };
}
