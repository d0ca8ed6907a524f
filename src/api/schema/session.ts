// Who asks, and how one signs in.
import { z } from '@hono/zod-openapi';
import { lifetime, list } from './common.ts';

export const roles = ['viewer', 'operator', 'admin'] as const;
export const role = z.enum(roles);
export type Role = z.infer<typeof role>;

export const whoAmI = z
  .object({ name: z.string().describe('Who you are.'), roles: list(role).describe('What you may do.') })
  .openapi('WhoAmI');
export type WhoAmI = z.infer<typeof whoAmI>;

export const signedIn = whoAmI
  .extend({
    token: z.string().optional().describe('Bearer token of the session; absent over TLS, where a cookie is set.'),
  })
  .openapi('SignedIn');
export type SignedIn = z.infer<typeof signedIn>;

export const signIn = z
  .union([
    z.strictObject({ token: z.string().min(1).max(500).describe('One-time token of the printed address.') }),
    z.strictObject({
      user: z.string().min(1).max(200).describe('Static user.'),
      password: z.string().min(1).max(200).describe('Password.'),
    }),
  ])
  .openapi('SignIn');
export type SignIn = z.infer<typeof signIn>;

export const loginMethods = z
  .object({
    token: z.boolean().describe('The one-time token of the printed address.'),
    password: z.boolean().describe('User and password.'),
    oidc: z
      .object({ issuer: z.string().describe('Who signs people in.'), url: z.string().describe('Where to begin.') })
      .optional()
      .describe('OpenID Connect.'),
  })
  .openapi('LoginMethods');
export type LoginMethods = z.infer<typeof loginMethods>;

export const newToken = z
  .strictObject({
    role: role.optional().describe('What it may do; not more than you. Default: what you may.'),
    ttl: lifetime('token'),
  })
  .openapi('NewToken');
export const token = z
  .object({
    token: z.string().describe('Send it as Authorization: Bearer TOKEN. It is shown only now.'),
    role: role.describe('What it may do.'),
    endsAt: z.number().describe('When it ends, in milliseconds since 1970; with the platform in any case.'),
  })
  .openapi('Token');

// What lets somebody in, as a list.

const times = {
  createdAt: z.number().describe('When it was made, in milliseconds since 1970.'),
  endsAt: z.number().describe('When it ends.'),
};
export const credentialId = z
  .string()
  .regex(/^[a-z0-9]{1,32}$/)
  .describe('Id from the list.');

export const credential = z
  .object({
    id: z.string().describe('By which it is revoked; it opens nothing.'),
    kind: z.enum(['session', 'token']).describe('Of a browser, or a bearer token.'),
    person: z.string().describe('Whose it is.'),
    role: role.describe('What it may do.'),
    ...times,
    usedAt: z.number().describe('When it was used last.'),
    from: z.string().describe('Address that it was asked for from; empty: the control socket.'),
    current: z.boolean().describe('This request was made with it.'),
  })
  .openapi('Credential');
export const credentials = z.object({ items: list(credential) }).openapi('Credentials');
export type Credentials = z.infer<typeof credentials>;

export const issuedKubeconfig = z
  .object({
    id: z.string().describe('By which it is revoked.'),
    person: z.string().describe('Whose it is.'),
    role: z.enum(['admin', 'viewer']).describe('What it may do.'),
    ...times,
  })
  .openapi('IssuedKubeconfig');
export const issuedKubeconfigs = z.object({ items: list(issuedKubeconfig) }).openapi('IssuedKubeconfigs');
export type IssuedKubeconfigs = z.infer<typeof issuedKubeconfigs>;
