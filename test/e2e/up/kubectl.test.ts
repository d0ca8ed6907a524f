// kubectl is there when a platform is, although nothing of the platform needs it, and nothing waits for it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { run } from '../../support/child-process.ts';
import { causeway, commandLine } from '../../support/cli.ts';
import { undoAfter } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { localPlatform } from '../../support/local-platform.ts';

const program = '#!/bin/sh\necho Client Version: v1.36.3\n';

test('up gets kubectl once everything is ready, and does not wait for it', async (t) => {
  const undo = undoAfter(t);
  const local = localPlatform();
  undo.after(() => local.remove());
  rmSync(local.at('clusters'), { recursive: true });
  const asked: string[] = [];
  const held = Promise.withResolvers<void>();
  const mirror = createServer(async (request, response) => {
    asked.push(request.url ?? '');
    await held.promise;
    response.end(request.url?.endsWith('.sha256') ? createHash('sha256').update(program).digest('hex') : program);
  });
  await once(mirror.listen(0, '127.0.0.1'), 'listening');
  undo.after(() => new Promise((resolve) => mirror.close(resolve)));
  const env = {
    CAUSEWAY_CACHE: local.at('.tools'),
    CAUSEWAY_PROGRAMS: '',
    CAUSEWAY_KUBERNETES_MIRROR: `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`,
    PATH: '/usr/bin:/bin',
  };
  const args = [commandLine, 'up', local.directory, '--port', '0'];
  const up = run(undo, { program: process.execPath, args, env });
  await until(() => up.said().includes('Ctrl-C stops it.') || up.hasEnded(), 60_000);
  assert.match(up.said(), /Try next:\n {2}\S*causeway kubectl --dir \S+ CLUSTER get nodes\n/);
  await until(() => asked.length > 0);
  assert.match(asked[0] ?? '', /\/kubectl/);

  const where = () => causeway(['programs', 'path', 'kubectl'], { env: { ...process.env, ...env } });
  assert.match(where().stderr, /CW-PROGRAM-MISSING/);
  held.resolve();
  await until(() => where().code === 0, 30_000);
  assert.match(where().stdout, /\.tools\/.*\/kubectl\n$/);
});
