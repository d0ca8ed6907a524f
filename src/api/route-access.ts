// Who may use which route: read from what the routes declare, which is also what they ask for.
import { apiDescription, type OpenApiDocument } from './app.ts';
import { type Role, roles } from './schema/session.ts';

export interface RouteAccess {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  /** The least role; undefined: whoever reaches it, without a login. */
  readonly role: Role | undefined;
}

interface Operation {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

/** Throws for a route that does not say who may use it. */
export const routeAccess = (description: Pick<OpenApiDocument, 'paths'> = apiDescription()): RouteAccess[] =>
  Object.entries(description.paths ?? {}).flatMap(([path, operations]) =>
    Object.entries(operations as Record<string, Operation>).map(([method, operation]) => ({
      ...{ method: method.toUpperCase(), path },
      ...{ summary: operation.summary ?? '', tag: operation.tags?.[0] ?? '' },
      role: leastRole(`${method} ${path}`, operation.security),
    })),
  );

function leastRole(route: string, security: Operation['security']): Role | undefined {
  if (security?.length === 0) return undefined;
  const named = [...new Set((security ?? []).flatMap((way) => Object.values(way)).flat())];
  const [role] = roles.filter((known) => named.includes(known));
  if (role === undefined || named.length !== 1)
    throw new Error(`${route} does not declare one least role, nor that it needs no login`);
  return role;
}
