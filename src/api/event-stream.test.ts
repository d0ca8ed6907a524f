// Streams end with what their reader is known by, and nobody has all of them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestHeader } from './guard/requests.ts';
import type { Credentials } from './schema/session.ts';
import { codeOf, type SampleApi, sampleApi, sessionOf } from './testing/sample-api.ts';

const stream = '/api/v1/events/stream';
const logs = '/api/v1/components/logs?scope=cluster/tunneling&name=etcd&follow=true';
const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', [requestHeader]: '1' } };

interface Token {
  readonly headers: Record<string, string>;
  readonly id: string;
}

async function newToken({ ask, json }: SampleApi): Promise<Token> {
  const { token } = (await (await ask('viewer', '/api/v1/tokens', post)).json()) as { token: string };
  const { items } = await json<Credentials>('viewer', '/api/v1/credentials');
  return { headers: { authorization: `Bearer ${token}` }, id: items.at(-1)?.id ?? '' };
}

/** Resolves when the server ends it, or says that it did not. */
async function endOf(response: Response): Promise<'ended' | 'open'> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const read = async (): Promise<'ended'> => {
    while (!(await reader.read()).done);
    return 'ended';
  };
  return Promise.race([read(), sleep(1000, 'open' as const)]).finally(() => reader.cancel());
}

describe('a stream', () => {
  for (const url of [stream, logs])
    it(`of ${url.split('?')[0]} ends when its token is revoked, and that of another goes on`, async (t) => {
      const sample = await sampleApi(t, { tickMs: 5 });
      const [stolen, other] = [await newToken(sample), await newToken(sample)];
      const [ending, going] = [
        await sample.ask(undefined, url, { headers: stolen.headers }),
        await sample.ask(undefined, url, { headers: other.headers }),
      ];
      assert.deepEqual([ending.status, going.status], [200, 200]);
      await sample.ask('viewer', `/api/v1/credentials/${stolen.id}`, {
        method: 'DELETE',
        headers: { [requestHeader]: '1' },
      });
      assert.deepEqual(await Promise.all([endOf(ending), endOf(going)]), ['ended', 'open']);
    });

  it('ends with sign-out', async (t) => {
    const { ask, signIn } = await sampleApi(t, { auth: { links: true } });
    const headers = await sessionOf(await signIn());
    const response = await ask(undefined, stream, { headers });
    assert.equal(response.status, 200);
    await ask(undefined, '/api/v1/session', { method: 'DELETE', headers: { ...headers, [requestHeader]: '1' } });
    assert.equal(await endOf(response), 'ended');
  });

  it('of one account leaves room for others', async (t) => {
    const { ask } = await sampleApi(t);
    const open = await Promise.all(Array.from({ length: 20 }, () => ask('viewer', stream)));
    assert.ok(open.every(({ status }) => status === 200));
    assert.equal(await codeOf(await ask('viewer', stream)), 'CW-API-STREAMS');
    const others = [await ask('operator', stream), await ask('admin', stream)];
    assert.ok(others.every(({ status }) => status === 200));
    // One that is closed makes room for one more.
    await open[0]?.body?.cancel();
    await sleep(20);
    const again = await ask('viewer', stream);
    assert.equal(again.status, 200);
    for (const { body } of [...open.slice(1), ...others, again]) await body?.cancel();
  });
});
