// Files of the built page. Only names that were found on disk can be asked for, so no path leads anywhere else.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

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
