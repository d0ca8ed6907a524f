// Certificates: for which names, and who issues them.
import * as when from '../conditions.ts';
import { groups } from '../groups.ts';
import { live, type RowBody, row, rowsOf } from '../row.ts';
import * as t from '../targets.ts';
import * as v from '../vantages.ts';

const sans = {
  finding: ['CW-CERT-NAMES'],
  plan: ['certificates'],
  artefact: ['sans', 'openssl', 'cert-manager'],
} as const;
const supplied = ['Platform.spec.certificates.file.certificate', live('certificate that the ingress shows')];
const services = ['grafana', 'prometheus', 'alertmanager'];
const hasService = (name: 'grafana' | 'prometheus' | 'alertmanager' | 'kibana') =>
  when.platformHas((spec) => (spec.monitoring?.services ?? services).includes(name));

const forService = (id: string, name: 'grafana' | 'prometheus' | 'alertmanager'): RowBody =>
  row(id, 'P L/B', `The certificate is valid for ${name}.`, {
    inputs: supplied,
    vantages: [v.users],
    targets: [t.platformName(name)],
    when: hasService(name),
    promise: sans,
    namesInCertificate: true,
  });

const names: readonly RowBody[] = [
  row('CRT-1', 'P L/B', 'The certificate is valid for the domain.', {
    inputs: supplied,
    vantages: [v.users],
    targets: [t.platformName()],
    promise: sans,
    namesInCertificate: true,
  }),
  forService('CRT-2', 'prometheus'),
  forService('CRT-3', 'grafana'),
  forService('CRT-4', 'alertmanager'),
  row('CRT-5', 'P L/W', 'The certificate is valid for kibana, where the old logging is in use.', {
    inputs: ['Platform.spec.monitoring.services', ...supplied],
    vantages: [v.users],
    targets: [t.platformName('kibana')],
    when: hasService('kibana'),
    promise: sans,
    namesInCertificate: true,
  }),
  row('CRT-6', 'P/B', 'One certificate covers all names; a wildcard does not cover the domain itself.', {
    inputs: [
      'Platform.spec.certificates.wildcard',
      'Platform.spec.certificates.file.certificate',
      'Platform.spec.certificates.file.key',
    ],
    targets: [t.platformName()],
    promise: sans,
  }),
  row('CRT-7', 'P/B', 'Names below a seed are in the certificate; a wildcard spans one label only.', {
    inputs: ['Seed.spec.dnsName', 'Seed.spec.monitoring.userClusters'],
    targets: [t.seeds],
    when: when.monitorsUserClusters,
    promise: sans,
  }),
];

const trust = { finding: ['CW-CERT-TRUST'], artefact: ['cert-manager'] } as const;

const issuers: readonly RowBody[] = [
  row('CRT-8', 'P L/B', 'Certificates come from exactly one place.', {
    inputs: ['Platform.spec.certificates'],
    vantages: [v.master],
    targets: [t.platform],
    promise: { finding: ['CW-CERT-WILDCARD-HTTP01'], artefact: ['cert-manager', 'checklist'] },
  }),
  row('CRT-9', 'P L/B', 'The bundle of an own CA holds all intermediates, and the public roots.', {
    inputs: ['Platform.spec.certificates.ca.bundle', 'Platform.spec.certificates.trustBundle'],
    vantages: [v.master, v.seeds],
    targets: [t.dashboard],
    when: when.platformHas((spec) => spec.certificates?.ca !== undefined),
    promise: trust,
  }),
  row('CRT-10', 'P L/W', 'Everything that talks to Dex trusts its issuer.', {
    inputs: ['Platform.spec.certificates.trustBundle', 'Platform.spec.authentication.dex.issuer'],
    vantages: [v.master, v.seeds],
    targets: [t.dashboard],
    promise: trust,
  }),
  row('CRT-11', 'P L/W', 'Private networks prove their domain by DNS.', {
    inputs: ['provider', 'credentials', 'nameserver', 'tsigKeyName'].map(
      (field) => `Platform.spec.certificates.acmeDNS01.${field}`,
    ),
    vantages: [v.master, v.authoritative],
    targets: [t.platformName('_acme-challenge')],
    when: when.platformHas((spec) => spec.certificates?.acmeDNS01 !== undefined),
    promise: { finding: ['CW-CERT-DNS01'], plan: ['flows', 'egress'], artefact: ['cert-manager'] },
  }),
  row('CRT-12', 'P L/W', 'A self-signed CA is given to the platform and to every client.', {
    inputs: [
      'Platform.spec.certificates.selfSigned',
      'Platform.spec.certificates.trustBundle',
      live('trust of clients'),
    ],
    vantages: [v.users, v.master, v.seeds],
    targets: [t.dashboard],
    when: when.platformHas((spec) => spec.certificates?.selfSigned !== undefined),
    promise: trust,
  }),
];

export const certificates = rowsOf(groups.certificates, [...names, ...issuers]);
