// Who asks, and what the three roles may do:
// viewer reads everything and gets kubeconfigs for reading; operator also creates and changes documents, except fields that
// name secrets, files, endpoints, authorities or logins, as the schemas mark them, and the Platform; admin also changes
// those, deletes, lets machines join, and gets kubeconfigs of administrators.
import { type Role, roles } from '../schema/session.ts';

export interface Identity {
  readonly name: string;
  readonly role: Role;
  /** When the token ends that they are known by (milliseconds). */
  readonly ends?: number;
}

const rank = (role: Role): number => roles.indexOf(role);

export const allows = (who: Identity, role: Role): boolean => rank(who.role) >= rank(role);

/** All roles that somebody has by having the highest of them. */
export const rolesOf = ({ role }: Identity): readonly Role[] => roles.slice(0, rank(role) + 1);

export const highestRole = (some: readonly Role[]): Role | undefined => roles.findLast((role) => some.includes(role));

/** Whoever can open the control socket owns the platform. */
export const owner: Identity = { name: 'owner', role: 'admin' };
