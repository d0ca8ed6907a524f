// A machine of its own for a test: empty PATH, empty cache, no network but one server of ours.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ProgramOptions } from '../config.ts';
import type { Progress } from '../progress.ts';

export interface Sandbox {
  root: string;
  cache: string;
  /** The only directory on PATH. */
  bin: string;
  env: NodeJS.ProcessEnv;
  options: ProgramOptions;
  /** What was said to the user, sentence by sentence. */
  notes: string[];
  /** Says which digests are known. */
  pins: URL;
}

/** `origin` stands for all hosts of official downloads; without one they cannot be reached. */
export function sandbox(t: TestContext, origin = 'http://127.0.0.1:1'): Sandbox {
  const root = mkdtempSync(path.join(tmpdir(), 'causeway-programs-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const [bin, cache] = [path.join(root, 'bin'), path.join(root, 'cache')];
  mkdirSync(bin);
  const pins = pathToFileURL(`${root}/pins/`);
  mkdirSync(pins);
  writeFileSync(new URL('downloads.sums', pins), '');
  const env = {
    PATH: bin,
    HOME: root,
    CAUSEWAY_CACHE: cache,
    CAUSEWAY_KUBERNETES_MIRROR: origin,
    CAUSEWAY_GITHUB_MIRROR: origin,
    CAUSEWAY_GITHUB_API: `${origin}/api`,
    GOPROXY: `${origin}/goproxy`,
  };
  const notes: string[] = [];
  const progress: Progress = { step: () => {}, note: (sentence) => notes.push(sentence), rest: () => {} };
  const timeouts = { answer: 1000, stall: 1000, retry: 10 };
  return { root, cache, bin, env, notes, pins, options: { env, progress, timeouts, goHomes: [], pins } };
}

/** A program that is a shell script. */
export function script(directory: string, name: string, ...lines: string[]): string {
  mkdirSync(directory, { recursive: true });
  const file = path.join(directory, name);
  writeFileSync(file, scriptText(...lines), { mode: 0o755 });
  return file;
}

export const scriptText = (...lines: string[]): string => `#!/bin/sh\n${lines.join('\n')}\n`;

export interface FileServer {
  origin: string;
  /** "GET /path", with the range where one was asked for. */
  requests: string[];
}

type Answer = string | Buffer | ((request: http.IncomingMessage, response: http.ServerResponse) => void);

/** Serves files by their path; everything else does not exist. */
export async function serve(t: TestContext, files: Record<string, Answer>): Promise<FileServer> {
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    const { range } = request.headers;
    requests.push(`${request.method} ${request.url}${range ? ` ${range}` : ''}`);
    const answer = files[request.url ?? ''];
    if (typeof answer === 'function') answer(request, response);
    else response.writeHead(answer === undefined ? 404 : 200).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
