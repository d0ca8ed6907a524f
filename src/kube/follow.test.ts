import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiObject, follow, type WatchChange, type WatchClient } from './follow.ts';

const item = (name: string): ApiObject => ({ metadata: { name, uid: name } });
const change = (type: WatchChange['type'], object: ApiObject): WatchChange => ({ type, object: object as never });

/** Answers each list and watch as the test says, one after the other, and then ends the test. */
function scripted(lists: readonly (readonly ApiObject[] | Error)[], changes: readonly WatchChange[][]) {
  const over = new AbortController();
  const left = [...lists];
  const watches = [...changes];
  const asked: string[] = [];
  const client: WatchClient = {
    ask: async <Answer>(_: string, path: string) => {
      asked.push(path);
      const next = left.shift();
      if (next === undefined) over.abort();
      if (next === undefined || next instanceof Error) throw next ?? new Error('over');
      return { metadata: { resourceVersion: '7' }, items: next } as Answer;
    },
    watch: async (path, take) => {
      asked.push(path);
      for (const one of watches.shift() ?? []) take(one);
    },
  };
  return { client, over, asked };
}

async function followed(...script: Parameters<typeof scripted>) {
  const { client, over, asked } = scripted(...script);
  const seen: string[] = [];
  const failed: string[] = [];
  const follower = {
    changed: (items: readonly ApiObject[]) => void seen.push(items.map(({ metadata }) => metadata.name).join()),
    failed: (error: Error) => void failed.push(error.message),
  };
  await follow(client, '/api/v1/nodes?labelSelector=x', follower, over.signal);
  return { seen, failed, asked };
}

test('a list is known as a whole after each change', async () => {
  const { seen } = await followed(
    [[item('a')]],
    [[change('ADDED', item('b')), change('MODIFIED', item('a')), change('DELETED', item('a'))]],
  );
  assert.deepEqual(seen, ['a', 'a,b', 'a,b', 'b']);
});

test('after a connection that ended, the list is read anew', async () => {
  const { seen } = await followed([[item('a')], [item('b')]], [[], []]);
  assert.deepEqual(seen, ['a', 'b']);
});

test('what cannot be read is told, and tried again', async () => {
  const { seen, failed } = await followed([new Error('no way'), [item('a')]], [[]]);
  assert.deepEqual([seen, failed], [['a'], ['no way']]);
});

test('when the API server has forgotten where we were, nothing is lost', async () => {
  const { seen, failed } = await followed([[item('a')], [item('b')]], [[change('ERROR', item(''))], []]);
  assert.deepEqual(seen, ['a', 'b']);
  assert.equal(failed.length, 1);
});

test('changes are asked for from where the list ended', async () => {
  const { asked } = await followed([[item('a')]], [[]]);
  assert.match(asked[1] ?? '', /^\/api\/v1\/nodes\?labelSelector=x&watch=true&resourceVersion=7&timeoutSeconds=\d+$/);
});

test('who was told to stop changes nothing any more, although an answer was on its way', async () => {
  const over = new AbortController();
  const client = {
    ask: async () => {
      over.abort();
      return { metadata: { resourceVersion: '7' }, items: [item('a')] };
    },
  } as never as WatchClient;
  const told: string[] = [];
  const follower = { changed: () => void told.push('changed'), failed: () => void told.push('failed') };
  await follow(client, '/api/v1/nodes', follower, over.signal);
  assert.deepEqual(told, []);
});
