// A token for the agents of one cluster, and nothing else on standard output, so that it can be put into a file.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CausewayError } from '../../core/errors.ts';
import { signToken } from '../../net/token.ts';
import { readDuration } from '../duration-option.ts';
import { needClusterName } from '../gateway-names.ts';

export async function runGatewayToken(cluster: string, options: { key: string; ttl: string }): Promise<number> {
  needClusterName(cluster);
  const ttl = readDuration('--ttl', options.ttl);
  const key = readKey(options.key);
  const now = Date.now();
  process.stdout.write(`${signToken({ cluster, issuedAt: now, expiresAt: now + ttl }, key)}\n`);
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
