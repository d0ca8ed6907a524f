// The API on a real port, asked with bytes of any kind.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { connect as connectTls } from 'node:tls';
import type { TlsFiles } from '../../../src/api/index.ts';
import { serveApi } from '../../../src/api/serve.ts';
import {
  overTls,
  type SampleApi,
  type SampleApiOptions,
  sampleApi,
  sessionOf,
} from '../../../src/api/testing/sample-api.ts';
import { createAuthority, issueServer, validFor } from '../../../src/pki/index.ts';
import type { Undo } from '../../support/gateway/undo.ts';

export interface Served extends SampleApi {
  readonly url: string;
  readonly port: number;
  /** Sends exactly this, and tells everything that comes back until the server has answered or hung up. */
  raw(bytes: string): Promise<string>;
  /** The headers of somebody who signed in by a link. */
  session(): Promise<Record<string, string>>;
}

export interface ServedApiOptions extends SampleApiOptions {
  /** With a certificate for 127.0.0.1. */
  readonly encrypted?: boolean;
}

export async function servedApi(t: Undo, { encrypted = false, ...options }: ServedApiOptions = {}): Promise<Served> {
  const sample = await sampleApi(t, options);
  const tls = encrypted ? await certificateIn(sample.directory) : undefined;
  const address = { host: '127.0.0.1', port: 0 };
  const served = await serveApi({ api: sample.api, address, ...(tls === undefined ? {} : { tls: tls.files }) });
  t.after(() => served.close());
  const port = Number(new URL(served.url).port);
  return {
    ...sample,
    url: served.url,
    port,
    raw: (bytes) => exchange(port, bytes, tls?.authority),
    session: async () => sessionOf(await sample.signIn(tls === undefined ? {} : overTls)),
  };
}

async function certificateIn(directory: string): Promise<{ readonly files: TlsFiles; readonly authority: string }> {
  const validity = validFor(new Date(), 1);
  const authority = await createAuthority('page', validity);
  const { certificate, key } = await issueServer(authority, ['127.0.0.1'], validity);
  const files = {
    certFile: path.join(directory, '.causeway/page.crt'),
    keyFile: path.join(directory, '.causeway/page.key'),
  };
  writeFileSync(files.certFile, certificate);
  writeFileSync(files.keyFile, key);
  return { files, authority: authority.certificate };
}

async function exchange(port: number, bytes: string, authority: string | undefined): Promise<string> {
  const at = { host: '127.0.0.1', port };
  const socket = authority === undefined ? connect(at) : connectTls({ ...at, ca: authority });
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  // A server that refuses early may close while we still write.
  socket.on('error', () => {});
  socket.end(bytes);
  await once(socket, 'close');
  return answer;
}

/** A request with these lines, closed after its answer. */
export const request = (start: string, headers: Readonly<Record<string, string>> = {}, body = ''): string => {
  const all = { host: '127.0.0.1', connection: 'close', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${start} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
};

export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
