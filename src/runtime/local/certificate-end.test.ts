import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { createAuthority, issueServer, validFor } from '../../pki/index.ts';
import { certificateEnd } from './certificate-end.ts';
import { platformHome } from './home.ts';

test('tells when the certificates end that the platform made, and nothing of others', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-ends-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const home = platformHome(directory);
  const now = new Date('2030-01-01T00:00:00Z');
  const authority = await createAuthority('test', validFor(now, 10));
  const keep = async (file: string, days: number): Promise<void> => {
    const at = path.join(home.state, file);
    mkdirSync(path.dirname(at), { recursive: true });
    writeFileSync(at, (await issueServer(authority, ['a.example'], validFor(now, days))).certificate);
  };
  await keep('gateways/west/gateway.crt', 1);
  await keep('clusters/shop/pki/api-server.crt', 2);
  await keep('clusters/shop/pki/konnectivity.crt', 3);
  const daysOf = (name: string): number => ((certificateEnd(home, name) ?? Number.NaN) - now.getTime()) / 86_400_000;
  assert.deepEqual(['gateway-west', 'apiserver-shop', 'konnectivity-shop'].map(daysOf), [1, 2, 3]);
  for (const name of ['platform', 'gateway-east', 'apiserver-other', 'konnectivity-../shop'])
    assert.equal(certificateEnd(home, name), undefined);
});
