// The page: its files, and for every other address the page itself, which knows what to show there.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Hono } from 'hono';
import { commandsAs } from '../core/command-text.ts';
import type { ApiEnv } from './context.ts';
import { notFound } from './problems.ts';

const forever = 'public, max-age=31536000, immutable';

export function pageRoutes(directory: string, started: Started): Hono<ApiEnv> {
  const files = createPageFiles(directory);
  return new Hono<ApiEnv>().get('*', (c) => {
    const index = files.index();
    const file = files.find(c.req.path);
    if (file !== undefined && file !== index) return send(file);
    if (isFileName(c.req.path)) throw notFound('such file', 'load the page again: it may have been built anew');
    return index === undefined ? c.html(pageFor(placeholder, started)) : send(withCommands(index, started));
  });
}

const withCommands = (index: PageFile, started: Started): PageFile => ({
  ...index,
  bytes: new TextEncoder().encode(pageFor(new TextDecoder().decode(index.bytes), started)),
});

/** Addresses of the page have no endings. */
const isFileName = (urlPath: string): boolean => urlPath.startsWith('/assets/') || /\.\w+$/.test(urlPath);

const send = ({ bytes, type, hashed }: PageFile): Response =>
  new Response(bytes, { headers: { 'content-type': type, 'cache-control': hashed ? forever : 'no-cache' } });

// Files of the built page. Only names that were found on disk can be asked for, so no path leads anywhere else.

export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** Its name changes with its content. */
  readonly hashed: boolean;
}

export interface PageFiles {
  /** By the path of the request, as in /assets/main-4f2a.js. */
  find(urlPath: string): PageFile | undefined;
  /** The page itself, for all addresses of the page. */
  index(): PageFile | undefined;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Read again when it was built anew. */
export function createPageFiles(directory: string): PageFiles {
  let [builtAt, files] = [0, new Map<string, PageFile>()];
  const refresh = (): void => {
    const now = statSync(path.join(directory, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (now === builtAt) return;
    [builtAt, files] = [now, now === 0 ? new Map() : readFiles(directory)];
  };
  return {
    find: (urlPath) => files.get(urlPath),
    index() {
      refresh();
      return files.get('/index.html');
    },
  };
}

function readFiles(directory: string): Map<string, PageFile> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => {
        const file = path.join(entry.parentPath, entry.name);
        const url = `/${path.relative(directory, file).split(path.sep).join('/')}`;
        return [url, pageFile(file, url)];
      }),
  );
}

const pageFile = (file: string, url: string): PageFile => ({
  bytes: new Uint8Array(readFileSync(file)),
  type: types[path.extname(file)] ?? 'application/octet-stream',
  hashed: url.startsWith('/assets/'),
});

// How the platform was started, for the commands that its page shows. The page is built once and for everybody; only its
// server knows.

export interface Started {
  /** What is typed to start Causeway, in any directory. */
  readonly command: string;
  /** Of the platform, as a word of a shell; empty where commands find it by themselves. */
  readonly directory: string;
}

/** For readers on other machines: their directories are others. */
export const startedElsewhere: Started = { command: 'causeway', directory: '' };

/** A page with its commands as its readers type them, and with what it needs to show more of them. */
export function pageFor(html: string, { command, directory }: Started): string {
  const named = html
    .replace(tag('command', 'causeway'), () => tag('command', escapeHtml(command)))
    .replace(tag('directory', ''), () => tag('directory', escapeHtml(directory)));
  return commandsAs(named, escapeHtml(command));
}

const tag = (name: string, content: string): string => `<meta name="causeway-${name}" content="${content}"`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

/** Shown until the page is built. Without script: it looks again by itself. */
export const placeholder = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="3">
<meta name="viewport" content="width=device-width">
<title>Causeway</title>
<style>
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
main { max-width: 34rem; margin: 20vh auto; padding: 0 1rem; }
</style>
</head>
<body>
<main>
<h1>Causeway</h1>
<p>The platform is running. Its page is being built, which takes a few seconds, once; this one looks again by itself.</p>
<p>Meanwhile <code>causeway status</code> shows the same in the terminal.</p>
</main>
</body>
</html>
`;
