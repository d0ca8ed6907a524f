// Configuration for `openssl req -new`: a certificate request with all names, for those who issue by hand.
import type { Certificate, Plan } from '../../plan/schema/index.ts';
import { type Artefact, bannerLines, fileNameOf } from '../artefact.ts';
import { commentLines } from '../text/one-line.ts';
import { commonNameOf, hasNames, requestedCertificates } from './requested.ts';

const title = 'Certificate requests for OpenSSL';

export const openssl: Artefact = {
  name: 'openssl',
  title,
  files: (plan) =>
    requestedCertificates(plan)
      .filter(hasNames)
      .map((certificate) => ({
        path: `certificates/${fileNameOf(certificate.name)}.cnf`,
        text: requestConfig(plan, certificate),
      })),
};

function requestConfig(plan: Plan, certificate: Certificate): string {
  const name = fileNameOf(certificate.name);
  const commonName = commonNameOf(certificate);
  return [
    ...commentLines('#', [
      ...bannerLines(plan, `Request for certificate ${certificate.name}`),
      `openssl req -new -config ${name}.cnf -newkey rsa:3072 -nodes -keyout ${name}.key -out ${name}.csr`,
    ]),
    '[req]',
    'prompt = no',
    'default_md = sha256',
    'utf8 = yes',
    'distinguished_name = subject',
    'req_extensions = extensions',
    '',
    '[subject]',
    `O = ${quoted(plan.platform.name)}`,
    ...(commonName === undefined ? [] : [`CN = ${quoted(commonName)}`]),
    '',
    '[extensions]',
    'keyUsage = critical, digitalSignature, keyEncipherment',
    'extendedKeyUsage = serverAuth',
    'subjectAltName = @names',
    '',
    '[names]',
    ...certificate.dnsNames.map((dnsName, i) => `DNS.${i + 1} = ${quoted(dnsName)}`),
    ...certificate.ips.map((ip, i) => `IP.${i + 1} = ${quoted(ip)}`),
    '',
  ].join('\n');
}

/** OpenSSL expands `$name` and ends a value at `#`: names hold neither, but nobody has to trust that here. */
const quoted = (text: string): string => text.replace(/[^A-Za-z0-9.:*_ -]/g, '');
