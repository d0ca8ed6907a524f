import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { createServer } from 'node:tls';
import { createAuthority } from '../../../test/support/gateway/certificates.ts';
import { until } from '../../../test/support/gateway/until.ts';
import { testVantage } from '../../../test/support/vantage.ts';
import { ExternalWatch } from './external-watch.ts';

async function apiServer(t: TestContext): Promise<{ port: number; names: string[] }> {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-external-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const { cert, key } = createAuthority(directory, 'elsewhere').issue({ commonName: 'api', dns: ['api.example'] });
  const names: string[] = [];
  const SNICallback = (name: string, done: (error: null) => void): void => {
    names.push(name);
    done(null);
  };
  const server = createServer({ cert, key, SNICallback });
  server.on('tlsClientError', () => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  return { port: (server.address() as AddressInfo).port, names };
}

test('looks at API servers of others from the vantage it is given, and says why one does not answer', async (t) => {
  const { port, names } = await apiServer(t);
  const vantage = testVantage({ 'api.example': '192.0.2.7' }, { '192.0.2.7:6443': port });
  const watch = new ExternalWatch(() => {}, vantage);
  t.after(() => watch.want([]));
  watch.want([
    { name: 'good', backends: ['api.example:6443'], serverName: 'api.example' },
    { name: 'closed', backends: ['192.0.2.9:6443'] },
    { name: 'unknown', backends: ['nowhere.example:6443'] },
  ]);
  await until(
    () => watch.get('good') !== undefined && watch.get('closed') !== undefined && watch.get('unknown') !== undefined,
  );
  assert.deepEqual([watch.get('good')?.status, watch.get('good')?.reason], ['True', 'CertificateEndsSoon']);
  assert.deepEqual(names, ['api.example']);
  assert.equal(watch.get('closed')?.message, '192.0.2.9:6443 does not answer: no 192.0.2.9:6443 here');
  assert.equal(watch.get('unknown')?.message, 'nowhere.example:6443 does not answer: no nowhere.example here');
});
