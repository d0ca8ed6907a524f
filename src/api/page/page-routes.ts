// The page: its files, and for every other address the page itself, which knows what to show there.
import { Hono, type MiddlewareHandler } from 'hono';
import type { Authenticator } from '../auth/authenticator.ts';
import type { ApiEnv } from '../context.ts';
import { notFound } from '../problems.ts';
import { createPageFiles, type PageFile } from './page-files.ts';
import { placeholder } from './placeholder.ts';
import { pageFor, type Started } from './started.ts';

const forever = 'public, max-age=31536000, immutable';

export function pageRoutes(directory: string, started: Started, authenticator: Authenticator): Hono<ApiEnv> {
  const files = createPageFiles(directory);
  return new Hono<ApiEnv>().get('/', signInByLink(authenticator)).get('*', (c) => {
    const index = files.index();
    const file = files.find(c.req.path);
    if (file !== undefined && file !== index) return send(file);
    if (isFileName(c.req.path)) throw notFound('such file', 'load the page again: it may have been built anew');
    return index === undefined ? c.html(pageFor(placeholder, started)) : send(withCommands(index, started));
  });
}

/** What a browser fetches ahead of time must not use the token up. */
const signInByLink =
  (authenticator: Authenticator): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    const token = c.req.query('token');
    if (token === undefined || c.req.header('sec-purpose') !== undefined) return next();
    const who = authenticator.useLink(token);
    if (who !== undefined) authenticator.signIn(c, who);
    // The token leaves the address bar and the history of the browser.
    return c.redirect(who === undefined ? '/login?problem=CW-API-LINK' : '/', 303);
  };

const withCommands = (index: PageFile, started: Started): PageFile => ({
  ...index,
  bytes: new TextEncoder().encode(pageFor(new TextDecoder().decode(index.bytes), started)),
});

/** Addresses of the page have no endings. */
const isFileName = (urlPath: string): boolean => urlPath.startsWith('/assets/') || /\.\w+$/.test(urlPath);

const send = ({ bytes, type, hashed }: PageFile): Response =>
  new Response(bytes, { headers: { 'content-type': type, 'cache-control': hashed ? forever : 'no-cache' } });
