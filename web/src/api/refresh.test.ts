import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { coalesced, refetchAfterChange } from './refresh.ts';

/** A server whose answers are made when it is asked, and arrive when the test says so. */
function shown(queryKey: readonly string[]) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const pending: (() => void)[] = [];
  const server = { value: 'old' };
  const queryFn = (): Promise<string> => {
    const answer = server.value;
    return new Promise((resolve) => pending.push(() => resolve(answer)));
  };
  const leave = new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined);
  return { client, server, pending, leave, data: () => client.getQueryData(queryKey) };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

test('a change during the first request of a page is on the screen afterwards', async (t) => {
  const { client, server, pending, leave, data } = shown(['events']);
  t.after(leave);
  assert.equal(pending.length, 1);
  server.value = 'new';
  const done = refetchAfterChange(client, ['events']);
  pending[0]?.();
  await turn();
  assert.equal(data(), 'old');
  assert.equal(pending.length, 2);
  pending[1]?.();
  await done;
  assert.equal(data(), 'new');
});

test('where no request is on its way, a change is asked for once', async (t) => {
  const { client, server, pending, leave, data } = shown(['events']);
  t.after(leave);
  pending[0]?.();
  await turn();
  server.value = 'new';
  const done = refetchAfterChange(client, []);
  await turn();
  pending[1]?.();
  await done;
  assert.deepEqual([data(), pending.length], ['new', 2]);
});

test('what is asked for while it runs is done once afterwards, not at the same time', async () => {
  const ends: (() => void)[] = [];
  const ask = coalesced(() => new Promise<void>((resolve) => ends.push(resolve)));
  ask();
  ask();
  ask();
  assert.equal(ends.length, 1);
  ends[0]?.();
  await turn();
  assert.equal(ends.length, 2);
  ends[1]?.();
  await turn();
  assert.equal(ends.length, 2);
  ask();
  assert.equal(ends.length, 3);
});
