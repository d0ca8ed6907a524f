import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { causewayLater } from '../support/cli.ts';
import { controlledSample } from '../support/controlled-sample.ts';

test('a cluster is deleted by its whole name, and only when it is gone that is said', async (t) => {
  const { platform, directory } = await controlledSample(t);
  const remove = (name: string) => causewayLater(['cluster', 'delete', name, '--yes', '--dir', directory]);
  assert.match((await remove('tuneling')).stderr, /there is no cluster "tuneling".*\n *fix: did you mean tunneling\?/);
  const { stdout, stderr } = await remove('tunneling');
  assert.equal(stdout, 'tunneling was deleted; its backups are kept\n', stderr);
  assert.ok(!existsSync(path.join(directory, 'clusters/tunneling.yaml')));
  assert.deepEqual(platform.deletions, ['tunneling']);
});
