// Keys and certificates for a gateway of one's own. Makes what is missing and never writes over anything, so a
// certificate is renewed by moving it away, and a client is added by asking for it.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import {
  type Authority,
  createAuthority,
  createTokenKeys,
  issueClient,
  issueServer,
  validFor,
} from '../../pki/index.ts';
import { makeDirectory } from '../../sys/make-directory.ts';
import { say } from '../started-as.ts';
import { needClusterName, needServerName } from './gateway-token.ts';

interface Options {
  readonly name?: readonly string[];
  readonly client?: readonly string[];
}
const [authorityDays, leafDays] = [3650, 365];

export async function runGatewayPki(
  directory: string,
  { name: names = [], client: clients = [] }: Options,
): Promise<number> {
  names.forEach(needServerName);
  clients.forEach(needClusterName);
  const files = keyFilesIn(directory);
  refuseHalves(files, names, clients);
  const now = new Date();
  const authority = await authorityIn(files, now);
  await makeServer(files, authority, names, now);
  for (const cluster of clients) await makeClient(files, authority, cluster, now);
  makeTokenKeys(files);
  if (files.written.length === 0) throw nothingToDo(directory, names, clients);
  say(summary(directory, files, names));
  return 0;
}

const server = ['gateway.crt', 'gateway.key'] as const;
const tokenKeys = ['token.pub', 'token.key'] as const;
const ours: readonly string[] = ['gateway', 'gateway-ca', 'token'];
/** A cluster may have the name of one of our own files. */
const clientFiles = (cluster: string): readonly [string, string] => {
  const base = ours.includes(cluster) ? `cluster-${cluster}` : cluster;
  return [`${base}.crt`, `${base}.key`];
};

/** Before anything is written. */
function refuseHalves(files: KeyFiles, names: readonly string[], clients: readonly string[]): void {
  for (const pair of [tokenKeys, ...clients.map(clientFiles)]) files.has(...pair);
  if (files.has(...server) || names.length > 0) return;
  throw new CausewayError(
    'CW-GATEWAY-PKI-NAME',
    'a certificate of the gateway needs a name',
    'add --name with the tunnel.name of the snapshot, and once more for each address that agents use',
  );
}

async function authorityIn(files: KeyFiles, now: Date): Promise<Authority> {
  const [certFile, keyFile] = ['gateway-ca.crt', 'gateway-ca.key'];
  if (files.has(certFile, keyFile)) return { certificate: files.read(certFile), key: files.read(keyFile) };
  // A new authority beside certificates of an old one would only look right.
  if (files.has(...server))
    throw new CausewayError(
      'CW-GATEWAY-PKI-AUTHORITY',
      'there is a gateway.crt, but not the authority that signed it (gateway-ca.crt, gateway-ca.key)',
      'bring the authority back, or move gateway.crt and gateway.key away to make new ones',
    );
  const authority = await createAuthority('Causeway gateway authority', validFor(now, authorityDays));
  files.write(certFile, authority.certificate);
  files.writeSecret(keyFile, authority.key);
  return authority;
}

async function makeServer(files: KeyFiles, authority: Authority, names: readonly string[], now: Date): Promise<void> {
  if (files.has(...server)) return;
  const { certificate, key } = await issueServer(authority, names, validFor(now, leafDays));
  files.write('gateway.crt', certificate);
  files.writeSecret('gateway.key', key);
}

async function makeClient(files: KeyFiles, authority: Authority, cluster: string, now: Date): Promise<void> {
  const [certFile, keyFile] = clientFiles(cluster);
  if (files.has(certFile, keyFile)) return;
  const subject = { organization: 'causeway:tunnel', commonName: cluster };
  const { certificate, key } = await issueClient(authority, subject, validFor(now, leafDays));
  files.write(certFile, certificate);
  files.writeSecret(keyFile, key);
}

function makeTokenKeys(files: KeyFiles): void {
  if (files.has(...tokenKeys)) return;
  const { publicKey, privateKey } = createTokenKeys();
  files.write('token.pub', publicKey);
  files.writeSecret('token.key', privateKey);
}

const nothingToDo = (directory: string, names: readonly string[], clients: readonly string[]): CausewayError =>
  new CausewayError(
    'CW-GATEWAY-PKI-EXISTS',
    `${directory} has all of it already${names.length > 0 ? ', and nothing is written over' : ''}`,
    clients.length > 0
      ? 'to renew a certificate move its .crt and .key away first'
      : 'move what you want anew away first, choose another directory, or add a client with --client CLUSTER',
  );

/** The first that a tunnel can be called by. */
const tunnelNameIn = (names: readonly string[]): string | undefined =>
  names.find((name) => isIP(name) === 0 && !name.startsWith('*.'));

function summary(directory: string, files: KeyFiles, names: readonly string[]): string {
  const at = (file: string): string => path.join(directory, file);
  const tunnel = {
    name: tunnelNameIn(names),
    authentication: 'token',
    certificate: { certFile: at('gateway.crt'), keyFile: at('gateway.key') },
    publicKeys: [readFileSync(at('token.pub'), 'utf8')],
    clientAuthorities: [readFileSync(at('gateway-ca.crt'), 'utf8')],
  };
  return [
    ...files.written.map((file) => `wrote ${at(file)}`),
    '',
    'Into the snapshot (files are looked for from its directory), under tunnel:',
    JSON.stringify(tunnel, null, 2),
    '',
    'A snapshot that render wrote:         gateway.crt and .key go beside it, token.pub to gateway.tunnelKeys of the Seed',
    `A token for the agents of a cluster:  causeway gateway token CLUSTER --key ${at('token.key')} > CLUSTER.token`,
    `Agents trust the gateway with:        --ca ${at('gateway-ca.crt')}`,
    'gateway-ca.key and token.key belong to nobody but those who let clusters in; the gateway needs neither.',
    '',
  ].join('\n');
}

// Files with certificates and keys in one directory: never overwritten, keys readable for their owner only.

export interface KeyFiles {
  /** Both or none; one alone is refused. */
  has(certificate: string, key: string): boolean;
  read(file: string): string;
  write(file: string, text: string): void;
  writeSecret(file: string, text: string): void;
  readonly written: readonly string[];
}

export function keyFilesIn(directory: string): KeyFiles {
  const written: string[] = [];
  const at = (file: string): string => path.join(directory, file);
  const write = (file: string, text: string, mode: number): void => {
    create(directory, at(file), text, mode);
    written.push(file);
  };
  return {
    written,
    has(certificate, key) {
      const found = [certificate, key].filter((file) => existsSync(at(file)));
      if (found.length === 1) throw halfPair(directory, found[0] === key ? certificate : key, found[0] ?? '');
      return found.length === 2;
    },
    read: (file) => readFileSync(at(file), 'utf8'),
    write: (file, text) => write(file, text, 0o644),
    writeSecret: (file, text) => write(file, text, 0o600),
  };
}

/** Only a file that was not there, whatever somebody else does at the same time. */
function create(directory: string, file: string, text: string, mode: number): void {
  try {
    makeDirectory(directory);
    writeFileSync(file, text, { flag: 'wx', mode, flush: true });
  } catch (error) {
    throw new CausewayError(
      'CW-WRITE',
      `cannot write ${file}: ${(error as Error).message}`,
      'make the directory writable, or choose another one',
    );
  }
}

const halfPair = (directory: string, missing: string, found: string): CausewayError =>
  new CausewayError(
    'CW-GATEWAY-PKI-PAIR',
    `${directory} has ${found}, but not ${missing}`,
    `bring ${missing} back, or move ${found} away to make both anew`,
  );
