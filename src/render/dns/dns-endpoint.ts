// The same records for external-dns, which writes them to whatever DNS provider there is.
import type { DnsRecord, Plan } from '../../plan/schema/index.ts';
import { type Artefact, bannerLines } from '../artefact.ts';
import { yamlFile } from '../text/yaml.ts';
import { resourceRecords } from './records.ts';

const title = 'Records for external-dns';

export const dnsEndpoint: Artefact = {
  name: 'dnsendpoint',
  title,
  files: (plan) => [{ path: 'dns/dnsendpoint.yaml', text: endpointText(plan) }],
};

function endpointText(plan: Plan): string {
  const pending = plan.dns.records.filter((record) => record.phase === 'name').map((record) => record.name);
  const notes =
    pending.length === 0 ? [] : [`Not in here, because the target is not known yet: ${pending.join(', ')}.`];
  const endpoints = plan.dns.records.flatMap((record) => endpointsOf(plan, record));
  if (endpoints.length === 0) return yamlFile([...bannerLines(plan, title), ...notes], []);
  const object = {
    apiVersion: 'externaldns.k8s.io/v1alpha1',
    kind: 'DNSEndpoint',
    metadata: { name: `causeway-${plan.platform.name}`, namespace: 'external-dns' },
    spec: { endpoints },
  };
  return yamlFile([...bannerLines(plan, title), ...notes], [{ object }]);
}

const endpointsOf = (plan: Plan, record: DnsRecord): object[] =>
  resourceRecords(record).map(({ type, targets }) => ({
    dnsName: record.name,
    recordTTL: record.ttl,
    recordType: type,
    targets,
    // The top of a zone cannot be a CNAME; providers with alias records make one of it when told so.
    ...(type === 'CNAME' && record.name === plan.dns.zone
      ? { providerSpecific: [{ name: 'alias', value: 'true' }] }
      : {}),
  }));
