import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readSnapshot } from '../../../src/gateway/index.ts';
import { run } from '../../support/child-process.ts';
import { causeway, copyOf, exampleDir } from '../../support/cli.ts';
import { askAdmin } from '../../support/gateway/admin.ts';
import { main, ready } from '../../support/gateway/own-gateway.ts';
import { freePort } from '../../support/gateway/ports.ts';

const text = readFileSync(path.join(exampleDir('gateway'), 'snapshot.json'), 'utf8');

test('the example of a snapshot is one, and shows every way to reach a cluster', () => {
  const { snapshot, problems } = readSnapshot(text);
  assert.deepEqual(problems, undefined);
  const { nodePortRange: _, ...shared } = snapshot.listeners;
  assert.deepEqual(Object.keys(shared).sort(), ['single', 'sni', 'tunnel']);
  const ways = Object.values(snapshot.clusters).flatMap(({ apiServer }) => Object.keys(apiServer));
  for (const way of ['sni', 'authority', 'nodePort', 'addresses']) assert.ok(ways.includes(way), way);
  assert.match(text, /"\[::1\]:\d+"/);
});

test('the example starts with the commands beside it', async (t) => {
  const directory = copyOf(t, 'gateway');
  const snapshotFile = path.join(directory, 'snapshot.json');
  const moved = await withOtherPorts(text);
  writeFileSync(snapshotFile, moved);
  assert.equal(causeway(['gateway', 'pki', directory, '--name', 'tunnel.example.com']).code, 0);
  const admin = path.join(directory, 'admin.sock');
  const flags = ['--snapshot', snapshotFile, '--admin', `unix:${admin}`, '--workers', '1', '--listen', '127.0.0.1'];
  await ready(run(t, { program: process.execPath, args: [main, 'gateway', ...flags] }), admin);
  const listeners = JSON.parse((await askAdmin(admin, '/listeners')).body) as { kind: string }[];
  const kinds = new Set(listeners.map(({ kind }) => kind));
  assert.deepEqual([...kinds].sort(), ['address', 'nodePort', 'single', 'sni', 'tunnel']);
});

/** Every port that is listened on, for the case that somebody has one of them. */
async function withOtherPorts(snapshot: string): Promise<string> {
  const keys = /("(?:sni|tunnel|single|nodePort|port)": )\d+/g;
  const ports = new Set<number>();
  while (ports.size < [...snapshot.matchAll(keys)].length) ports.add(await freePort());
  const next = ports.values();
  return snapshot
    .replaceAll(keys, (_, key: string) => `${key}${next.next().value}`)
    .replace('30000-32767', '20000-32767');
}
