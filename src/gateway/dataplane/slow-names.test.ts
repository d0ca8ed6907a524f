// Names of backends whose servers are silent: the cluster that has them waits, and nobody else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainBackend } from '../../../test/support/gateway/backends.ts';
import { tcp } from '../../../test/support/gateway/clients.ts';
import { until } from '../../../test/support/gateway/until.ts';
import { testedResolver, type Zone } from '../../../test/support/name-server.ts';
import { cluster, createFixture } from './testing/dataplane-fixture.ts';

const namesOfSlow = 200;

test('connections of a cluster are carried while two hundred names of another cluster are waited for', {
  timeout: 60_000,
}, async (t) => {
  const backend = await plainBackend('plain');
  t.after(() => backend.stop());
  const zone = (name: string): Zone => (name.startsWith('slow') ? 'silent' : ['127.0.0.1']);
  const { resolve, server } = await testedResolver(t, zone);
  const fixture = createFixture(t, { resolve });
  const port = backend.target.split(':')[1];
  const slowNames = Array.from({ length: namesOfSlow }, (_, i) => `slow-${i}.test:1`);
  const reached = (nodePort: number, backends: readonly string[]) => ({ apiServer: { nodePort, backends } });
  fixture.apply({
    slow: cluster('slow', slowNames, reached(30_000, slowNames)),
    fast: cluster('fast', [`fast.test:${port}`], reached(30_001, [`fast.test:${port}`])),
  });
  const slow = await tcp(await fixture.listener('nodePort', 30_000));
  await until(() => server.asked.length === 2 * namesOfSlow);
  const fast = await tcp(await fixture.listener('nodePort', 30_001));
  fast.send('hello');
  assert.ok((await fast.exactly(1)).length === 1);
  const states = fixture.dataplane.connections().map(({ cluster: name, state }) => `${name} ${state}`);
  assert.deepEqual(states, ['slow dialing', 'fast carried']);
  slow.close();
  fast.close();
});
