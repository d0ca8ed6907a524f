import assert from 'node:assert/strict';
import { it } from 'node:test';
import { giveUpNative } from './native.ts';
import { chooseWire } from './probe.ts';
import { describeWires } from './testing/promises.ts';

giveUpNative();

it('documented sockets are used where native handles were given up', async () => {
  assert.equal(await chooseWire(), false);
});

describeWires('documented sockets');
