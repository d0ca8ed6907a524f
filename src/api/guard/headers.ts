// What browsers are told about every answer.
import type { MiddlewareHandler } from 'hono';
import { isEncrypted } from '../auth/cookies.ts';
import type { ApiEnv } from '../context.ts';

/** Scripts only from files of our own. Styles may be inline, because components of the page measure themselves. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const always = {
  'content-security-policy': contentPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

export const secureHeaders: MiddlewareHandler<ApiEnv> = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(always)) c.header(name, value);
  if (isEncrypted(c)) c.header('strict-transport-security', 'max-age=31536000');
  if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store');
};
