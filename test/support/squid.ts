// A corporate proxy: real squid, with Basic auth, that lets CONNECT through to the ports one names and to nothing else.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './child-process.ts';
import { accepts } from './gateway/clients.ts';
import { freePort } from './gateway/ports.ts';
import type { Undo } from './gateway/undo.ts';
import { until } from './gateway/until.ts';

export interface Squid {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** http://user:password@127.0.0.1:port */
  readonly url: string;
  /** Its access log: one line per request, with the answer. */
  log(): string;
}

export interface SquidOptions {
  readonly allowedPorts: readonly number[];
  /** Names that it resolves to 127.0.0.1. */
  readonly names?: readonly string[];
  /** Names it refuses. */
  readonly deniedNames?: readonly string[];
  /** Opens TLS and presents certificates of this authority (needs squid-openssl). */
  readonly interceptAs?: { readonly certFile: string; readonly keyFile: string };
  /** Is spoken to with TLS, and presents this certificate (needs squid-openssl). */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
}

const user = 'worker';
const password = 'p@ss:w/rd';

export async function startSquid(t: Undo, program: string, options: SquidOptions): Promise<Squid> {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-squid-'));
  // Squid gives up root for a user of its own.
  chmodSync(directory, 0o777);
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const port = await freePort();
  const hash = execFileSync('openssl', ['passwd', '-apr1', password], { encoding: 'utf8' }).trim();
  writeFileSync(path.join(directory, 'passwords'), `${user}:${hash}\n`);
  writeFileSync(path.join(directory, 'hosts'), `127.0.0.1 localhost ${(options.names ?? []).join(' ')}\n`);
  if (options.interceptAs !== undefined) prepareInterception(directory, options.interceptAs);
  writeFileSync(path.join(directory, 'squid.conf'), configuration(directory, port, options));
  const squid = run(t, { program, args: ['-N', '-f', path.join(directory, 'squid.conf')] });
  await until(async () => {
    if (squid.hasEnded()) throw new Error(`squid ended:\n${squid.said()}`);
    return accepts({ host: '127.0.0.1', port });
  });
  const url = `${options.tls === undefined ? 'http' : 'https'}://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  return { port, user, password, url, log: () => readFileSync(path.join(directory, 'access.log'), 'utf8') };
}

const configuration = (
  directory: string,
  port: number,
  { allowedPorts, deniedNames, interceptAs, tls }: SquidOptions,
): string => `
${tls === undefined ? 'http_port' : 'https_port'} 127.0.0.1:${port}${tls === undefined ? '' : ` tls-cert=${tls.certFile} tls-key=${tls.keyFile}`}${interceptAs === undefined ? '' : interceptingPort(directory)}
pid_filename none
hosts_file ${directory}/hosts
cache_log ${directory}/cache.log
access_log stdio:${directory}/access.log
cache deny all
coredump_dir ${directory}
shutdown_lifetime 0 seconds
auth_param basic program ${helper()} ${directory}/passwords
auth_param basic children 1
auth_param basic realm corporate proxy
acl known proxy_auth REQUIRED
acl allowed port ${allowedPorts.join(' ')}
${deniedNames === undefined ? '' : `acl denied dstdomain ${deniedNames.join(' ')}\nhttp_access deny denied`}
http_access deny CONNECT !allowed
http_access allow known
http_access deny all
${interceptAs === undefined ? '' : interception(directory)}
`;

const interceptingPort = (directory: string): string =>
  ` ssl-bump tls-cert=${directory}/interceptor.pem generate-host-certificates=on`;

const interception = (directory: string): string => `
sslcrtd_program ${helper('security_file_certgen')} -s ${directory}/made -M 4MB
sslcrtd_children 1
tls_outgoing_options flags=DONT_VERIFY_PEER
sslproxy_cert_error allow all
ssl_bump bump all
`;

/** Certificate and key in one file, and a store for what it makes, which squid's own user can write to. */
function prepareInterception(directory: string, { certFile, keyFile }: { certFile: string; keyFile: string }): void {
  const pem = path.join(directory, 'interceptor.pem');
  writeFileSync(pem, readFileSync(certFile, 'utf8') + readFileSync(keyFile, 'utf8'));
  execFileSync(helper('security_file_certgen'), ['-c', '-s', path.join(directory, 'made'), '-M', '4MB']);
  execFileSync('chmod', ['-R', 'a+rwX', directory]);
}

/** It is where the distribution puts squid's helpers. */
function helper(name = 'basic_ncsa_auth'): string {
  const found = ['/usr/lib', '/usr/lib64', '/usr/libexec'].map((root) => `${root}/squid/${name}`).find(existsSync);
  if (found === undefined) throw new Error(`squid has no ${name} here`);
  return found;
}
