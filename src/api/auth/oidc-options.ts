// Whom OpenID Connect lets in, and as what.

import type { Role } from '../schema/session.ts';
import { highestRole, type Identity } from './identity.ts';

export interface OidcOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client; PKCE is used in any case. */
  readonly clientSecret?: string;
  /** PEM: authorities that its certificate may be from, besides those the system trusts. */
  readonly ca?: string;
  /** Where the provider sends people back to, as it knows it: https://page/api/v1/login/callback. */
  readonly redirectUri: string;
  /** @default openid, profile, email and groups, as far as the provider knows them */
  readonly scope?: string;
  /** Claim with the groups or roles of a person. @default groups */
  readonly claim?: string;
  /** Values of the claim for each role; * is everybody who can sign in. */
  readonly roles: Readonly<Partial<Record<Role, readonly string[]>>>;
}

type Claims = Readonly<Record<string, unknown>>;

/** Nobody where no value of the claim stands for a role. */
export function identityOf(claims: Claims, { claim = 'groups', roles }: OidcOptions): Identity | undefined {
  const values = valuesOf(claims, claim);
  const has = (wanted: readonly string[] = []): boolean =>
    wanted.some((value) => value === '*' || values.includes(value));
  const role = highestRole((Object.keys(roles) as Role[]).filter((name) => has(roles[name])));
  return role === undefined ? undefined : { name: nameOf(claims), role };
}

/** A list, one text, or texts separated by spaces; nested as in realm_access.roles. */
function valuesOf(claims: Claims, claim: string): readonly string[] {
  const found =
    claims[claim] ?? claim.split('.').reduce<unknown>((at, step) => (at as Claims | undefined)?.[step], claims);
  if (Array.isArray(found)) return found.filter((value) => typeof value === 'string');
  return typeof found === 'string' ? found.split(/\s+/) : [];
}

function nameOf({ email, preferred_username: user, sub }: Claims): string {
  const name = [email, user, sub].find((value) => typeof value === 'string' && value !== '');
  return String(name ?? 'somebody').slice(0, 200);
}
