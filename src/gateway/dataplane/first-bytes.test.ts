import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Wire } from '../../net/wire/index.ts';
import { FirstBytes, headerRoom } from './first-bytes.ts';

/** Keeps what is written to it, as a wire that takes everything. */
function taking(): { wire: Wire; written: Buffer[] } {
  const written: Buffer[] = [];
  const write = (chunk: Buffer): boolean => {
    written.push(Buffer.from(chunk));
    return true;
  };
  return { wire: { write } as unknown as Wire, written };
}
const chunks = fc.array(
  fc.uint8Array({ maxLength: 9000 }).map((bytes) => Buffer.from(bytes)),
  { maxLength: 6 },
);

describe('the first bytes of a client', () => {
  it('go out as they came, behind the header and without what was skipped', () => {
    fc.assert(
      fc.property(chunks, fc.uint8Array({ maxLength: headerRoom }), fc.nat(200), (parts, head, skip) => {
        const all = Buffer.concat(parts);
        const first = new FirstBytes();
        for (const part of parts) first.add(part);
        const skipped = Math.min(skip, all.length);
        first.skip(skipped);
        assert.deepEqual(first.copy(), all.subarray(skipped));
        const { wire, written } = taking();
        first.writeTo(wire, head.length === 0 ? undefined : Buffer.from(head));
        assert.deepEqual(Buffer.concat(written), Buffer.concat([head, all.subarray(skipped)]));
        first.free();
        assert.equal(first.length, 0);
      }),
    );
  });
});
