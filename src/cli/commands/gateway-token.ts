// A token for the agents of one cluster, and nothing else on standard output, so that it can be put into a file.

import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { CausewayError } from '../../core/errors.ts';
import { hostProblem, isNodeName } from '../../core/names.ts';
import { signToken } from '../../net/index.ts';
import { readDuration } from '../duration-option.ts';

interface Options {
  readonly key: string;
  readonly ttl: string;
  readonly node?: string;
}

export async function runGatewayToken(cluster: string, options: Options): Promise<number> {
  const { node } = options;
  needClusterName(cluster);
  if (node !== undefined) needNodeName(node);
  const ttl = readDuration('--ttl', options.ttl);
  const key = readKey(options.key);
  const now = Date.now();
  const claims = { cluster, ...(node === undefined ? {} : { node }), issuedAt: now, expiresAt: now + ttl };
  process.stdout.write(`${signToken(claims, key)}\n`);
  return 0;
}

/** Never says anything of what is in the file. */
function readKey(file: string): KeyObject {
  let pem: string;
  try {
    pem = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrongKey(`cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Said below, without the words of the library.
  }
  throw wrongKey(`${file} has no Ed25519 private key in PEM`);
}

const wrongKey = (message: string): CausewayError =>
  new CausewayError(
    'CW-TOKEN-KEY',
    message,
    '"causeway gateway pki DIR --name NAME" makes one (token.key); "openssl genpkey -algorithm ed25519" does too',
  );

/** The same that a snapshot takes; it becomes part of file names too. */
export function needClusterName(cluster: string): void {
  if (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(cluster)) return;
  throw new CausewayError(
    'CW-GATEWAY-CLUSTER',
    `"${cluster.slice(0, 80)}" is not the name of a cluster`,
    'use up to 63 lower-case letters, digits and inner hyphens, as in the snapshot',
  );
}

function needNodeName(node: string): void {
  const shown = node.slice(0, 80);
  if (isNodeName(node)) return;
  throw new CausewayError(
    'CW-GATEWAY-NODE',
    `"${shown}" is not the name of a node`,
    'write it as "kubectl get nodes" shows it: lower-case letters, digits, dots and hyphens',
  );
}

/** What a certificate can be for: a host name, perhaps with a wildcard in front, or an address. */
export function needServerName(name: string): void {
  if (isIP(name) !== 0) return;
  const problem = hostProblem(name.startsWith('*.') ? name.slice(2) : name);
  if (problem === undefined) return;
  throw new CausewayError('CW-GATEWAY-NAME', `"${name.slice(0, 80)}" ${problem}`, 'write a host name or an IP address');
}
