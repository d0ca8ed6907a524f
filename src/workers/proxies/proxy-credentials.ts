// User and password for a proxy, from where the manifests say they are.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { privateDirectory, readPrivate, writePrivate } from '../../control-plane/private-files.ts';
import { CausewayError } from '../../core/errors.ts';
import type { Credentials } from '../../net/connect-head.ts';
import { parseCredentials } from '../../net/proxy-dial/proxy-url.ts';

/** As in the manifests. */
export interface SecretReference {
  readonly env?: string;
  readonly file?: string;
  readonly secret?: unknown;
}

export interface ReferenceBase {
  /** Files are named relative to it. */
  readonly manifests: string;
  /** What is missing below it was never made by a person, and is made now. */
  readonly state: string;
  readonly env?: NodeJS.ProcessEnv;
}

export function proxyCredentials(reference: SecretReference, base: ReferenceBase): Credentials {
  const { env = process.env } = base;
  if (reference.env !== undefined) return fromEnvironment(reference.env, env[reference.env]);
  if (reference.file !== undefined) return fromFile(path.resolve(base.manifests, reference.file), base.state);
  throw new CausewayError(
    'CW-PROXY-CREDENTIALS',
    'the credentials of the proxy are in a Secret of Kubernetes, and there is none on this machine',
    'name a file or an environment variable for a platform that runs on one machine',
  );
}

function fromEnvironment(name: string, value: string | undefined): Credentials {
  if (value !== undefined) return parseCredentials(value, name);
  throw new CausewayError('CW-PROXY-CREDENTIALS', `${name} is not set`, `set ${name} to user:password of the proxy`);
}

function fromFile(file: string, state: string): Credentials {
  const text = readPrivate(file);
  if (text !== undefined) return parseCredentials(text, file);
  if (!file.startsWith(`${state}${path.sep}`))
    throw new CausewayError(
      'CW-PROXY-CREDENTIALS',
      `${file} does not exist`,
      'write user:password of the proxy into it',
    );
  const made = `worker:${randomBytes(18).toString('base64url')}\n`;
  privateDirectory(path.dirname(file));
  writePrivate(file, made);
  return parseCredentials(made, file);
}
