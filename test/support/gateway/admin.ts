// Questions to an admin socket, as curl --unix-socket would ask them.
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface AdminAnswer {
  readonly status: number;
  readonly body: string;
}

export const askAdmin = (socketPath: string, path: string, method = 'GET'): Promise<AdminAnswer> =>
  new Promise((resolve, reject) => {
    request({ socketPath, path, method, agent: false, timeout: 10_000 }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    })
      .on('error', reject)
      .end();
  });

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Lines of the Prometheus text format. */
export function readMetrics(text: string): Sample[] {
  return [...text.matchAll(/^([a-z_:]+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value = '']) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text])),
    value: Number(value),
  }));
}
