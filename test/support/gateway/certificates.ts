// Certificates for tests, made by openssl: the judge of ours makes them as well.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

export interface Names {
  readonly commonName: string;
  readonly organisation?: string;
  readonly dns?: readonly string[];
  readonly ips?: readonly string[];
}

export interface Authority extends Certificate {
  issue(names: Names): Certificate;
}

const openssl = (args: readonly string[]): Buffer =>
  execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'] });

/** An authority whose files are in `directory`. */
export function createAuthority(directory: string, commonName: string): Authority {
  mkdirSync(directory, { recursive: true });
  const own = filesOf(directory, 'authority');
  openssl([...newKey(own), '-x509', '-days', '2', '-subj', `/CN=${commonName}`]);
  let issued = 0;
  return {
    ...withText(own),
    issue: (names) => issue(own, filesOf(directory, `issued-${++issued}`), names),
  };
}

type Files = Pick<Certificate, 'certFile' | 'keyFile'>;

const filesOf = (directory: string, name: string): Files => ({
  certFile: path.join(directory, `${name}.crt`),
  keyFile: path.join(directory, `${name}.key`),
});

const withText = (files: Files): Certificate => ({
  ...files,
  cert: readFileSync(files.certFile, 'utf8'),
  key: readFileSync(files.keyFile, 'utf8'),
});

const newKey = ({ certFile, keyFile }: Files): string[] => [
  ...['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
  ...['-keyout', keyFile, '-out', certFile],
];

function issue(authority: Files, files: Files, names: Names): Certificate {
  const { commonName, organisation, dns = [], ips = [] } = names;
  const subject = `${organisation === undefined ? '' : `/O=${organisation}`}/CN=${commonName}`;
  const request = { ...files, certFile: `${files.certFile}.request` };
  const extensions = `${files.certFile}.extensions`;
  const alternatives = [...dns.map((name) => `DNS:${name}`), ...ips.map((ip) => `IP:${ip}`)].join(',');
  writeFileSync(
    extensions,
    `extendedKeyUsage=serverAuth,clientAuth\n${alternatives === '' ? '' : `subjectAltName=${alternatives}\n`}`,
  );
  openssl([...newKey(request), '-subj', subject]);
  openssl([
    ...['x509', '-req', '-days', '2', '-in', request.certFile, '-out', files.certFile, '-extfile', extensions],
    ...['-CA', authority.certFile, '-CAkey', authority.keyFile, '-CAcreateserial'],
  ]);
  return withText(files);
}
