// What browsers are told about every answer.

import type { MiddlewareHandler } from 'hono';
import { secureHeaders as honoHeaders } from 'hono/secure-headers';
import { isEncrypted } from '../auth/sessions.ts';
import type { ApiEnv } from '../context.ts';

type Options = NonNullable<Parameters<typeof honoHeaders>[0]>;

const always: Options = {
  /** Scripts only from files of our own. Styles may be inline, because components of the page measure themselves. */
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  // Stricter than hono's default, which lets pages of the same origin show ours in a frame.
  xFrameOptions: 'DENY',
  permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [], usb: [] },
};

const plain = honoHeaders({ ...always, strictTransportSecurity: false });
const encrypted = honoHeaders({ ...always, strictTransportSecurity: 'max-age=31536000' });

/** On loopback without TLS a browser that remembers to use TLS would not come back. */
export const secureHeaders: MiddlewareHandler<ApiEnv> = (c, next) => (isEncrypted(c) ? encrypted : plain)(c, next);

/** Answers are about a moment and for one person; a route that knows better says so itself. */
export const noStore: MiddlewareHandler<ApiEnv> = async (c, next) => {
  await next();
  if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store');
};
