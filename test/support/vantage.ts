// For tests: a vantage with names and addresses of its own, each of which leads to a port of this machine.
import { localDial, type Vantage } from '../../src/net/wire/index.ts';

export interface TestVantage extends Vantage {
  /** What was looked up and dialled, in order. */
  readonly asked: string[];
}

/** `names`: host → address. `ports`: "address:port" → port of this machine; all else refuses. */
export function testVantage(names: Record<string, string>, ports: Record<string, number>): TestVantage {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (host) => {
      asked.push(`resolve ${host}`);
      const address = names[host];
      if (address === undefined) throw Object.assign(new Error(`no ${host} here`), { code: 'ENOTFOUND' });
      return [address];
    },
    dial: (address, port, timeoutMs, done) => {
      const place = `${address}:${port}`;
      asked.push(`dial ${place}`);
      const local = ports[place];
      if (local !== undefined) return localDial('127.0.0.1', local, timeoutMs, done);
      const refused = setImmediate(done, Object.assign(new Error(`no ${place} here`), { code: 'ECONNREFUSED' }));
      return () => clearImmediate(refused);
    },
  };
}
