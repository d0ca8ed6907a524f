// Role-based access control (RBAC). What the three roles may do:
// viewer reads everything and gets kubeconfigs for reading; operator also creates and changes documents, except fields that
// name secrets, files, endpoints, authorities or logins, as the schemas mark them, and the Platform; admin also changes
// those, deletes, lets machines join, and gets kubeconfigs of administrators.
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../context.ts';
import { onlyJson } from '../guard/requests.ts';
import { ApiError } from '../problems.ts';
import { type Role, roles } from '../schema/session.ts';

export interface Identity {
  readonly name: string;
  readonly role: Role;
  /** Who it is, where the name says more than that, as of their tokens. @default name */
  readonly account?: string;
  /** Id of the session or token that they are known by; absent: nothing that could be revoked here. */
  readonly credential?: string;
  /** When the token ends that they are known by (milliseconds). */
  readonly ends?: number;
}

export const accountOf = ({ account, name }: Identity): string => account ?? name;

const rank = (role: Role): number => roles.indexOf(role);

export const allows = (who: Identity, role: Role): boolean => rank(who.role) >= rank(role);

/** All roles that somebody has by having the highest of them. */
export const rolesOf = ({ role }: Identity): readonly Role[] => roles.slice(0, rank(role) + 1);

export const highestRole = (some: readonly Role[]): Role | undefined => roles.findLast((role) => some.includes(role));

/** Whoever can open the control socket owns the platform. */
export const owner: Identity = { name: 'owner', role: 'admin' };

/** Declared by each route that needs a login: the least role that may use it, where OpenAPI has roles. */
const loginWith = (role: Role): Record<string, string[]>[] => [{ session: [role] }, { bearer: [role] }];
export const requireRole = (role: Role) => ({
  security: loginWith(role),
  middleware: rbac(role),
});
/** The same for routes that take a body. */
export const requireRoleAndJson = (role: Role) => ({
  security: loginWith(role),
  middleware: [rbac(role), onlyJson],
});
/** Declared by each route that anybody may use who reaches it. */
export const withoutLogin: { readonly security: Record<string, string[]>[] } = { security: [] };

const rbac =
  (role: Role): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    authorize(c.get('identity'), role);
    await next();
  };

export function authorize(who: Identity | undefined, role: Role): void {
  if (who === undefined) throw unauthenticated;
  if (allows(who, role)) return;
  const message = `${who.name} may not do this: it takes the role ${role}`;
  throw new ApiError(403, 'CW-API-ROLE', message, 'ask an administrator of the platform for the role');
}

const unauthenticated = new ApiError(
  401,
  'CW-API-LOGIN',
  'nobody is signed in',
  'open the address that "causeway up" printed, or sign in on the page',
  { headers: { 'www-authenticate': 'Bearer realm="causeway"' } },
);
