// Who may sign in, from what the Platform says about identities and from flags that say which of them have which role.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import type { Platform } from '../../model/schema/index.ts';
import type { SecretRef } from '../../render/certificates/secrets.ts';
import { type Role, roles } from '../schema/session.ts';
import { highestRole } from './identity.ts';
import type { OidcOptions } from './oidc-options.ts';
import type { AuthOptions } from './options.ts';
import type { StaticUser } from './passwords.ts';

export interface AccessFlags {
  /** ROLE=VALUE: a value of the claim, or the address of a static user. */
  readonly roles: readonly string[];
  /** Claim with the groups of a person. */
  readonly claim?: string;
  /** Where people reach the page: https://causeway.example.com. */
  readonly url: string;
}

export interface SecretSource {
  /** Files are relative to it. */
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
}

export function authOf(platform: Platform, flags: AccessFlags, source: SecretSource): AuthOptions {
  const wanted = rolesFrom(flags.roles);
  const users = (platform.spec.authentication?.dex?.staticUsers ?? []).map(
    ({ email, hash }): StaticUser => ({
      name: email,
      role: highestRole(roles.filter((role) => wanted[role]?.includes(email))) ?? 'viewer',
      hash: readSecret(hash, `the hash of ${email}`, source),
    }),
  );
  const oidc = oidcOf(platform, flags, wanted, source);
  return { users, ...(oidc === undefined ? {} : { oidc }) };
}

function oidcOf(
  platform: Platform,
  flags: AccessFlags,
  wanted: OidcOptions['roles'],
  source: SecretSource,
): OidcOptions | undefined {
  const external = platform.spec.authentication?.external;
  if (external === undefined) return undefined;
  return {
    issuer: external.issuer,
    clientId: external.clientID,
    clientSecret: readSecret(external.clientSecret, 'the client secret', source),
    redirectUri: new URL('/api/v1/login/callback', flags.url).href,
    ...(flags.claim === undefined ? {} : { claim: flags.claim }),
    roles: wanted,
  };
}

function rolesFrom(flags: readonly string[]): Partial<Record<Role, string[]>> {
  const wanted: Partial<Record<Role, string[]>> = {};
  for (const flag of flags) {
    const [name, value = ''] = [flag.slice(0, flag.indexOf('=')), flag.slice(flag.indexOf('=') + 1)];
    const role = roles.find((known) => known === name);
    if (role === undefined || value === '')
      throw new CausewayError(
        'CW-API-ROLE-FLAG',
        `${flag} gives no role`,
        `write ROLE=GROUP; roles are ${roles.join(', ')}`,
      );
    wanted[role] = [...(wanted[role] ?? []), value];
  }
  return wanted;
}

function readSecret(ref: SecretRef, what: string, { directory, env }: SecretSource): string {
  const text =
    ref.env !== undefined
      ? env[ref.env]
      : ref.file !== undefined
        ? fileText(path.resolve(directory, ref.file))
        : undefined;
  if (text !== undefined && text.trim() !== '') return text.trim();
  const where = ref.env !== undefined ? `the environment variable ${ref.env}` : (ref.file ?? 'a Secret of Kubernetes');
  throw new CausewayError(
    'CW-API-SECRET',
    `${what} is not in ${where}`,
    'put it there, or refer to an environment variable or a file',
  );
}

function fileText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
