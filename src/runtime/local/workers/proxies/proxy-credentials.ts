// User and password for a proxy, from where the manifests say they are.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { CausewayError } from '../../../../core/errors.ts';
import { type Credentials, parseCredentials } from '../../../../net/index.ts';
import { privateDirectory, writePrivate } from '../../../../sys/private-files.ts';
import { isGenerated, type SecretPlaces, type SecretReference, secretText } from '../../secret-places.ts';

export function proxyCredentials(reference: SecretReference, places: SecretPlaces): Credentials {
  const where = reference.env ?? path.resolve(places.manifests, reference.file ?? '');
  const text = secretText(reference, places);
  if (text !== undefined) return parseCredentials(text, where);
  if (isGenerated(reference, places)) return generate(where);
  throw missing(reference, where);
}

/** Nobody else needs to know them. */
function generate(file: string): Credentials {
  const made = `worker:${randomBytes(18).toString('base64url')}\n`;
  privateDirectory(path.dirname(file));
  writePrivate(file, made);
  return parseCredentials(made, file);
}

function missing({ env, file }: SecretReference, where: string): CausewayError {
  if (env !== undefined) return problem(`${env} is not set`, `set ${env} to user:password of the proxy`);
  if (file !== undefined) return problem(`${where} does not exist`, 'write user:password of the proxy into it');
  return problem(
    'the credentials of the proxy are in a Secret of Kubernetes, and there is none on this machine',
    'name a file or an environment variable for a platform that runs on one machine',
  );
}

const problem = (message: string, fix: string): CausewayError =>
  new CausewayError('CW-PROXY-CREDENTIALS', message, fix);
