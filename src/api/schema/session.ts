// Who asks, and how one signs in.
import { z } from '@hono/zod-openapi';
import { duration, list } from './common.ts';

export const roles = ['viewer', 'operator', 'admin'] as const;
export const role = z.enum(roles);
export type Role = z.infer<typeof role>;

export const whoAmI = z
  .object({ name: z.string().describe('Who you are.'), roles: list(role).describe('What you may do.') })
  .openapi('WhoAmI');
export type WhoAmI = z.infer<typeof whoAmI>;

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
    ttl: duration
      .default('24h')
      .describe('For how long it is good, at most 90 days; it ends with the platform in any case.'),
  })
  .openapi('NewToken');
export const token = z
  .object({
    token: z.string().describe('Send it as Authorization: Bearer TOKEN. It is shown only now.'),
    role: role.describe('What it may do.'),
  })
  .openapi('Token');
