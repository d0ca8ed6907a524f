// Streams over a real connection: what happens, in order, from where a client left off.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { withoutSeen } from '../../../src/api/event-stream.ts';
import { bearer } from '../../../src/api/testing/sample-api.ts';
import { createUndoList } from '../../support/gateway/undo.ts';
import { type Served, servedApi } from './served-api.ts';

const undo = createUndoList();
let api: Served;
before(async () => {
  api = await servedApi(undo, { tickMs: 50 });
});
after(() => undo.run());

const say = (message: string): void =>
  api.platform.record({ kind: 'platform', level: 'info', subject: 'test', message });

/** Reads until it has seen `text`, then hangs up. */
async function readUntil(
  url: string,
  text: string,
  headers: Record<string, string> = {},
  act = (): void => {},
): Promise<string> {
  const leaving = new AbortController();
  const response = await fetch(api.url + url, { headers: { ...bearer('viewer'), ...headers }, signal: leaving.signal });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  act();
  let seen = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    seen += Buffer.from(chunk).toString();
    if (seen.includes(text)) break;
  }
  leaving.abort();
  return seen;
}

it('tells events as they happen, and that something has changed', async () => {
  say('before');
  const seen = await readUntil('/api/v1/events/stream', 'just now', {}, () => say('just now'));
  assert.match(seen, /event: change\n/);
  assert.match(seen, /event: event\ndata: \{"id":\d+,.*just now.*\}\nid: \d+\n\n/);
  assert.doesNotMatch(seen, /before/);
});

it('goes on after the last event that a client has seen, and loses none', async () => {
  const { id } = api.platform.events({ limit: 1 }).at(-1) ?? { id: 0 };
  for (let i = 0; i < 450; i++) say(`missed ${i}.`);
  const seen = await readUntil('/api/v1/events/stream', 'missed 449.', { 'last-event-id': String(id) });
  const ids = [...seen.matchAll(/^id: (\d+)$/gm)].map(([, text]) => Number(text));
  assert.deepEqual(
    ids,
    Array.from({ length: ids.length }, (_, at) => id + 1 + at),
  );
  assert.ok(ids.length >= 449);
});

it('follows a log: its last lines, then new ones', async () => {
  const url = '/api/v1/components/logs?scope=cluster/tunneling&name=etcd&lines=2&follow=true';
  const seen = await readUntil(url, 'etcd: 20');
  assert.match(
    seen,
    /line 19 of the sample\n\nevent: line\ndata: .*line 20 of the sample\n\nevent: line\ndata: .*etcd: 20/,
  );
});

it('does not repeat a line that was written while the log was read', () => {
  assert.deepEqual(withoutSeen(['a', 'b', 'c'], ['b', 'c', 'd']), ['d']);
  assert.deepEqual(withoutSeen(['a', 'b'], ['c']), ['c']);
  assert.deepEqual(withoutSeen(['a'], ['a']), []);
});
