import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hasNative } from './native.ts';
import { chooseWire } from './probe.ts';
import { describeWires, dialled, serve } from './testing/promises.ts';

it('native handles work with this Node', async () => {
  assert.equal(await chooseWire(), true);
  assert.equal(hasNative(), true);
});

it('a reset right after an end leaves no handle open', async (t) => {
  const port = await serve(t, () => {});
  const wire = await dialled('127.0.0.1', port);
  const open = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  const before = open();
  wire.end();
  wire.destroy(true);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(open() < before, `${open()} sockets are open, ${before} were`);
});

describeWires('native handles');
