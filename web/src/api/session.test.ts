import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession, type Session, type SessionPlaces } from './session.ts';

type Channel = SessionPlaces['channel'];

/** Tabs of one origin: what one says, all others hear. */
function createTabs(): () => Session & { readonly stored: Map<string, string> } {
  const channels: Channel[] = [];
  return () => {
    const stored = new Map<string, string>();
    const channel: Channel = {
      onmessage: null,
      postMessage(data: unknown) {
        for (const other of channels.filter((one) => one !== channel))
          queueMicrotask(() => other.onmessage?.call(other as BroadcastChannel, { data } as MessageEvent));
      },
    };
    channels.push(channel);
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    };
    return { ...createSession({ storage, channel }), stored };
  };
}

test('a tab keeps its session, and one without asks the others for theirs', async () => {
  const open = createTabs();
  const [first, second] = [open(), open()];
  assert.equal(await second.askOthers(), false);
  first.keep('secret');
  assert.equal(second.token(), undefined);
  const asked = [second.askOthers(), second.askOthers()];
  assert.deepEqual(await Promise.all(asked), [true, true]);
  assert.deepEqual([first.token(), second.token()], ['secret', 'secret']);
});

test('a session that ends is forgotten by all tabs that have it, and by no other', async () => {
  const open = createTabs();
  const [first, second, other] = [open(), open(), open()];
  first.keep('secret');
  await second.askOthers();
  other.keep('another');
  second.end('secret');
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([first.token(), second.token(), other.token()], [undefined, undefined, 'another']);
  assert.equal(first.stored.size, 0);
});

test('what was signed in meanwhile stays when the one before ends', () => {
  const tab = createTabs()();
  tab.keep('new');
  tab.end('old');
  assert.equal(tab.token(), 'new');
});

test('a tab takes no session that it has not asked for', async () => {
  const open = createTabs();
  const [first, second, third] = [open(), open(), open()];
  first.keep('secret');
  await second.askOthers();
  assert.equal(third.token(), undefined);
});

test('over TLS there is nothing to keep', () => {
  const tab = createTabs()();
  tab.keep('before');
  tab.keep(undefined);
  assert.equal(tab.token(), undefined);
});
