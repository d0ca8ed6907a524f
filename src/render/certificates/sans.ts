// The names that each certificate must carry.
import type { Certificate, Plan } from '../../plan/schema/index.ts';
import { type Artefact, bannerLines } from '../artefact.ts';
import { commentLines } from '../text/one-line.ts';
import { ownCertificates, requestedCertificates } from './requested.ts';

const title = 'Certificate names';

export const sans: Artefact = {
  name: 'sans',
  title,
  files: (plan) => [
    { path: 'certificates/sans.txt', text: asText(plan) },
    { path: 'certificates/sans.json', text: `${JSON.stringify({ certificates: plan.certificates }, null, 2)}\n` },
  ],
};

function asText(plan: Plan): string {
  const sections = [
    commentLines('#', [...bannerLines(plan, title), '', 'To be asked for:']),
    ...requestedCertificates(plan).map(block),
    commentLines('#', ['Issued by the own CA of each cluster and gateway; nothing has to be asked for:']),
    ...ownCertificates(plan).map(block),
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function block({ name, place, issuedBy, requirement, dnsNames, ips }: Certificate): string[] {
  const head = commentLines('#', [`${name} at ${place}, issued by ${issuedBy} (${requirement})`]);
  return [...head, ...dnsNames.map((dnsName) => `DNS:${dnsName}`), ...ips.map((ip) => `IP:${ip}`)];
}
