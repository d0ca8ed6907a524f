// Ways to sign in, as whoever starts the API chooses them.

import type { Identity } from './identity.ts';
import type { OidcOptions } from './oidc-options.ts';
import type { StaticUser } from './passwords.ts';

export interface StaticToken extends Identity {
  /** SHA-256 of the bearer token, hexadecimal. */
  readonly sha256: string;
}

export interface AuthOptions {
  /** One-time tokens in printed addresses. Only for loopback: whoever reads the terminal is the owner. */
  readonly links?: boolean;
  readonly users?: readonly StaticUser[];
  readonly tokens?: readonly StaticToken[];
  readonly oidc?: OidcOptions;
}

/** Somebody who is not at this machine can prove who they are. */
export const hasLogin = ({ users = [], oidc }: AuthOptions): boolean => users.length > 0 || oidc !== undefined;
