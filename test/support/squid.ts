// A corporate proxy: real squid, with Basic auth, that lets CONNECT through to the ports one names and to nothing else.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  accessLogIn,
  helperOf,
  hostsIn,
  passwordsIn,
  squidConfiguration,
} from '../../src/runtime/local/workers/proxies/squid.ts';
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
  writeFileSync(passwordsIn(directory), `${user}:${hash}\n`);
  writeFileSync(hostsIn(directory), `127.0.0.1 localhost ${(options.names ?? []).join(' ')}\n`);
  if (options.interceptAs !== undefined) prepareInterception(directory, options.interceptAs);
  writeFileSync(path.join(directory, 'squid.conf'), configuration(directory, port, program, options));
  const squid = run(t, { program, args: ['-N', '-f', path.join(directory, 'squid.conf')] });
  await until(async () => {
    if (squid.hasEnded()) throw new Error(`squid ended:\n${squid.said()}`);
    return accepts({ host: '127.0.0.1', port });
  });
  const url = `${options.tls === undefined ? 'http' : 'https'}://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  return { port, user, password, url, log: () => readFileSync(accessLogIn(directory), 'utf8') };
}

const configuration = (
  directory: string,
  port: number,
  squid: string,
  { allowedPorts, deniedNames, interceptAs, tls }: SquidOptions,
): string =>
  squidConfiguration({
    programs: { squid, passwordHelper: helper('basic_ncsa_auth') },
    listen: { host: '127.0.0.1', port },
    connectPorts: allowedPorts,
    directory,
    more: {
      accessLog: true,
      tls: tls !== undefined,
      port:
        (tls === undefined ? '' : ` tls-cert=${tls.certFile} tls-key=${tls.keyFile}`) +
        (interceptAs === undefined ? '' : interceptingPort(directory)),
      lines: [
        ...(deniedNames === undefined
          ? []
          : [`acl denied dstdomain ${deniedNames.join(' ')}`, 'http_access deny denied']),
        ...(interceptAs === undefined ? [] : interception(directory)),
      ],
    },
  });

const interceptingPort = (directory: string): string =>
  ` ssl-bump tls-cert=${directory}/interceptor.pem generate-host-certificates=on`;

const interception = (directory: string): string[] => [
  `sslcrtd_program ${helper('security_file_certgen')} -s ${directory}/made -M 4MB`,
  'sslcrtd_children 1',
  'tls_outgoing_options flags=DONT_VERIFY_PEER',
  'sslproxy_cert_error allow all',
  'ssl_bump bump all',
];

/** Certificate and key in one file, and a store for what it makes, which squid's own user can write to. */
function prepareInterception(directory: string, { certFile, keyFile }: { certFile: string; keyFile: string }): void {
  const pem = path.join(directory, 'interceptor.pem');
  writeFileSync(pem, readFileSync(certFile, 'utf8') + readFileSync(keyFile, 'utf8'));
  execFileSync(helper('security_file_certgen'), ['-c', '-s', path.join(directory, 'made'), '-M', '4MB']);
  execFileSync('chmod', ['-R', 'a+rwX', directory]);
}

function helper(name: string): string {
  const found = helperOf(name);
  if (found === undefined) throw new Error(`squid has no ${name} here`);
  return found;
}
