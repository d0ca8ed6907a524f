// The API on a real port, asked with bytes of any kind.
import { once } from 'node:events';
import { connect } from 'node:net';
import { serveApi } from '../../../src/api/serve.ts';
import { type SampleApi, type SampleApiOptions, sampleApi } from '../../../src/api/testing/sample-api.ts';
import type { Undo } from '../../support/gateway/undo.ts';

export interface Served extends SampleApi {
  readonly url: string;
  readonly port: number;
  /** Sends exactly this, and tells everything that comes back until the server has answered or hung up. */
  raw(bytes: string): Promise<string>;
  /** The first cookie of somebody who opened the printed address. */
  cookie(): Promise<string>;
}

export async function servedApi(t: Undo, options: SampleApiOptions = {}): Promise<Served> {
  const sample = await sampleApi(t, options);
  const served = await serveApi({ api: sample.api, address: { host: '127.0.0.1', port: 0 } });
  t.after(() => served.close());
  const port = Number(new URL(served.url).port);
  return {
    ...sample,
    url: served.url,
    port,
    raw: (bytes) => exchange(port, bytes),
    cookie: async () => {
      const response = await fetch(sample.api.loginUrl(served.url), { redirect: 'manual' });
      return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    },
  };
}

async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port });
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
