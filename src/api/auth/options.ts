// Ways to sign in, as whoever starts the API chooses them.

import { compare, truncates } from 'bcryptjs';
import { createMutex } from '../../sys/mutex.ts';
import type { OidcOptions } from './oidc.ts';
import type { Identity } from './rbac.ts';

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

// Static users with bcrypt hashes. Whether a user exists cannot be told from the answer nor from its time.

export interface StaticUser extends Identity {
  /** bcrypt. */
  readonly hash: string;
}

export type CheckPassword = (user: string, password: string) => Promise<Identity | undefined>;

/** Of a password that nobody has. */
const nobody = '$2b$10$UUS36hEukqTU7pfFW3CaseDErHJ5QzH2O0mU6yXkWQBIIC96G0sU2';

export function createPasswordCheck(users: readonly StaticUser[]): CheckPassword {
  const byName = new Map(users.map((user) => [user.name, user]));
  // One at a time: each takes a tenth of a second of this process.
  const alone = createMutex();
  return (name, password) => alone(() => check(byName.get(name), password));
}

async function check(user: StaticUser | undefined, password: string): Promise<Identity | undefined> {
  const fits = await compare(password, user?.hash ?? nobody);
  // bcrypt reads 72 bytes; what is longer would be as good as its beginning.
  if (!fits || user === undefined || truncates(password)) return undefined;
  return { name: user.name, role: user.role };
}
