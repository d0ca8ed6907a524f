// Certificates and their issuer for cert-manager.
import type { Certificate, Plan } from '../../plan/schema/index.ts';
import { type Artefact, bannerLines } from '../artefact.ts';
import { type YamlDocument, yamlFile } from '../text/yaml.ts';
import { type Issuance, issuanceOf } from './issuers.ts';
import { hasNames, requestedCertificates } from './requested.ts';

const title = 'Certificates for cert-manager';
const path = 'certificates/cert-manager.yaml';

export const certManager: Artefact = {
  name: 'cert-manager',
  title,
  files: (plan) => {
    const issuance = issuanceOf(plan);
    return issuance === undefined ? [] : [{ path, text: manifest(plan, issuance) }];
  },
};

const manifest = (plan: Plan, { documents, ref }: Issuance): string =>
  yamlFile(
    [
      ...bannerLines(plan, title),
      'Each object belongs to the cluster that its comment names; the issuer to each of them.',
      'Certificates that a cluster or a gateway issues with a CA of its own are not among them.',
    ],
    [
      ...documents,
      ...requestedCertificates(plan)
        .filter(hasNames)
        .map((certificate) => certificateDocument(certificate, ref)),
    ],
  );

const certificateDocument = (certificate: Certificate, issuerRef: Issuance['ref']): YamlDocument => ({
  comment: [`${certificate.requirement}: in front of ${certificate.place}.`],
  object: {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { name: certificate.name, namespace: 'causeway' },
    spec: {
      secretName: `${certificate.name}-tls`,
      ...(certificate.dnsNames.length > 0 ? { dnsNames: certificate.dnsNames } : {}),
      ...(certificate.ips.length > 0 ? { ipAddresses: certificate.ips } : {}),
      usages: ['digital signature', 'key encipherment', 'server auth'],
      privateKey: { rotationPolicy: 'Always' },
      issuerRef,
    },
  },
});
