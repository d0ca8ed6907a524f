// Who may sign in, from what the Platform says about identities and from flags that say which of them have which role.

import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import type { Platform, SecretRef } from '../../model/schema/index.ts';
import { type SecretPlaces, secretText } from '../../runtime/local/secret-places.ts';
import { type Role, roles } from '../schema/session.ts';
import type { OidcOptions } from './oidc.ts';
import type { AuthOptions, StaticUser } from './options.ts';
import { highestRole } from './rbac.ts';

export interface AccessFlags {
  /** ROLE=VALUE: a value of the claim, or the address of a static user. */
  readonly roles: readonly string[];
  /** Claim with the groups of a person. */
  readonly claim?: string;
  /** Where people reach the page: https://causeway.example.com. */
  readonly url: string;
  /** PEM: authorities of the provider, besides those the system trusts. */
  readonly ca?: string;
}

export function authOf(platform: Platform, flags: AccessFlags, places: SecretPlaces): AuthOptions {
  const wanted = rolesFrom(flags.roles);
  const users = (platform.spec.authentication?.dex?.staticUsers ?? []).map(
    ({ email, hash }): StaticUser => ({
      name: email,
      role: highestRole(roles.filter((role) => wanted[role]?.includes(email))) ?? 'viewer',
      hash: readHash(hash, email, places),
    }),
  );
  const oidc = oidcOf(platform, flags, wanted, places);
  return { users, ...(oidc === undefined ? {} : { oidc }) };
}

function oidcOf(
  platform: Platform,
  flags: AccessFlags,
  wanted: OidcOptions['roles'],
  places: SecretPlaces,
): OidcOptions | undefined {
  const external = platform.spec.authentication?.external;
  if (external === undefined) return undefined;
  return {
    issuer: external.issuer,
    clientId: external.clientID,
    clientSecret: readSecret(external.clientSecret, 'the client secret', places, {
      fix: 'put it there, or refer to an environment variable or a file',
    }),
    redirectUri: new URL('/api/v1/login/callback', flags.url).href,
    ...(flags.claim === undefined ? {} : { claim: flags.claim }),
    ...(flags.ca === undefined ? {} : { ca: flags.ca }),
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

const bcrypt = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;

function readHash(ref: SecretRef, email: string, places: SecretPlaces): string {
  const what = `the bcrypt hash of ${email}'s password`;
  const command =
    ref.file === undefined
      ? `export ${ref.env ?? 'NAME'}="$(causeway password-hash)"`
      : `causeway password-hash > ${path.resolve(places.manifests, ref.file)}`;
  return readSecret(ref, what, places, { pattern: bcrypt, fix: `ask for it and put it there: ${command}` });
}

interface Expected {
  readonly fix: string;
  readonly pattern?: RegExp;
}

/** What is there instead is not told: it may be the secret itself. */
function readSecret(ref: SecretRef, what: string, places: SecretPlaces, { fix, pattern = /./ }: Expected): string {
  const text = secretText(ref, places)?.trim() ?? '';
  if (pattern.test(text)) return text;
  const where = ref.env !== undefined ? `the environment variable ${ref.env}` : (ref.file ?? 'a Secret of Kubernetes');
  throw new CausewayError('CW-API-SECRET', `${what} is not in ${where}`, fix);
}
