import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { hasNative } from '../../net/wire/native.ts';
import { type DesiredListener, desiredListeners, ListenerTable, listenerKey } from './listener-table.ts';
import { clusterTo, snapshotOf } from './testing/snapshots.ts';

const native = { skip: !hasNative() && 'handles cannot be passed on here' };
const anyPort: DesiredListener = { kind: 'sni', address: '127.0.0.1', wanted: 0 };
const wanting = (...listeners: DesiredListener[]) => new Map(listeners.map((one) => [listenerKey(one), one]));

function table(t: TestContext, ...given: ConstructorParameters<typeof ListenerTable>): ListenerTable {
  const made = new ListenerTable(...given);
  t.after(() => made.closeAll());
  return made;
}

test('every slot gets a socket of its own, all with the port that the first one got', native, async (t) => {
  const sockets = table(t, 3);
  sockets.adopt(await sockets.bindMissing(wanting(anyPort)));
  const [listener] = sockets.all();
  assert.equal(listener?.handles.length, 3);
  assert.equal(new Set(listener?.handles).size, 3);
  assert.ok((listener?.listening.port ?? 0) > 0);
  for (const slot of [0, 1, 2]) assert.equal(sockets.ofSlot(slot)[0]?.handles.length, 1);
});

test('what is there already is not bound again, what is not wanted any more is closed', async (t) => {
  const sockets = table(t, 1);
  sockets.adopt(await sockets.bindMissing(wanting(anyPort)));
  const second: DesiredListener = { ...anyPort, kind: 'tunnel' };
  const added = await sockets.bindMissing(wanting(anyPort, second));
  assert.deepEqual(
    added.map(({ listening }) => listening.kind),
    ['tunnel'],
  );
  sockets.adopt(added);
  assert.deepEqual(sockets.dropOthers(wanting(second)), [listenerKey(anyPort)]);
  assert.deepEqual(
    sockets.listening().map(({ kind }) => kind),
    ['tunnel'],
  );
});

test('an address that this machine does not have is refused, and the others are not kept', async (t) => {
  const sockets = table(t, 2);
  const foreign: DesiredListener = { kind: 'address', address: '203.0.113.7', wanted: 6443 };
  await assert.rejects(sockets.bindMissing(wanting(anyPort, foreign)), {
    code: 'CW-GATEWAY-LISTEN',
    message: 'cannot listen on 203.0.113.7:6443: this machine does not have the address',
    fix: /ip address add 203\.0\.113\.7\/32 dev lo/,
  });
  assert.deepEqual(sockets.listening(), []);
});

for (const [before, after] of [
  [1, 3],
  [3, 1],
  [2, 2],
] as const)
  test(`sockets of ${before} workers are handed over to ${after}, and none is lost`, native, async (t) => {
    const old = table(t, before);
    old.adopt(await old.bindMissing(wanting(anyPort)));
    const next = table(t, after, old.all());
    next.adopt(await next.bindMissing(wanting(anyPort)));
    const slots = Array.from({ length: after }, (_, slot) => next.ofSlot(slot)[0]?.handles ?? []);
    assert.ok(slots.every((handles) => handles.length > 0));
    const all = new Set(slots.flat());
    for (const handle of old.all()[0]?.handles ?? []) assert.ok(all.has(handle));
    assert.equal(next.listening()[0]?.port, old.listening()[0]?.port);
  });

test('a snapshot wants shared ports on every address, node ports too, and own addresses as they are', () => {
  const own = { addresses: ['127.0.0.9'], port: 6443, backends: ['127.0.0.1:1'] };
  const clusters = {
    a: clusterTo('a', '127.0.0.1:1', { apiServer: { nodePort: 30001, backends: ['127.0.0.1:1'] } }),
    b: clusterTo('b', '127.0.0.1:1', { apiServer: own }),
  };
  const snapshot = snapshotOf('1', clusters, { listeners: { sni: 6443, single: 443, nodePortRange: '30000-32767' } });
  assert.deepEqual(
    [...desiredListeners(snapshot, ['127.0.0.1', '::1']).keys()],
    [
      'sni 127.0.0.1 6443',
      'sni ::1 6443',
      'single 127.0.0.1 443',
      'single ::1 443',
      'nodePort 127.0.0.1 30001',
      'nodePort ::1 30001',
      'address 127.0.0.9 6443',
    ],
  );
});

test('one port for two purposes is refused, since the kernel would let it pass', () => {
  const own = { addresses: ['127.0.0.1'], port: 6443, backends: ['127.0.0.1:1'] };
  const clusters = { b: clusterTo('b', '127.0.0.1:1', { apiServer: own }) };
  const snapshot = snapshotOf('1', clusters, { listeners: { sni: 6443, nodePortRange: '30000-32767' } });
  assert.throws(() => desiredListeners(snapshot, ['127.0.0.1']), { code: 'CW-GATEWAY-PORT-TWICE' });
});
