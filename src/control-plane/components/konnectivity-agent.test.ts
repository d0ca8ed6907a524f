import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KonnectivityAgentOptions, konnectivityAgentArgs } from './konnectivity-agent.ts';

const planned = { keepalive: '30s', syncForever: true } as KonnectivityAgentOptions['planned'];
const options: KonnectivityAgentOptions = {
  ...{ id: 'web', serverHost: 'konnectivity-server.web.example.com', serverPort: 6443 },
  ...{ caFile: '/ca.crt', tokenFile: '/token', planned, flags: ['--v=2'] },
  ...{ healthHost: '127.0.0.1', healthPort: 8134, adminHost: '127.0.0.1', adminPort: 8133 },
};

test('an agent is told its server, its credentials, what is planned, and where it answers', () => {
  assert.deepEqual(konnectivityAgentArgs(options), [
    ...['--agent-id=web', '--proxy-server-host=konnectivity-server.web.example.com', '--proxy-server-port=6443'],
    ...['--ca-cert=/ca.crt', '--service-account-token-path=/token', '--keepalive-time=30s', '--sync-forever', '--v=2'],
    ...['--health-server-host=127.0.0.1', '--health-server-port=8134'],
    ...['--admin-bind-address=127.0.0.1', '--admin-server-port=8133'],
  ]);
});

test('arguments come in the order that they were given in, so that an agent that runs stays', () => {
  const { id, ...rest } = options;
  const [first, last] = [konnectivityAgentArgs(options), konnectivityAgentArgs({ ...rest, id })];
  assert.deepEqual(last, [...first.slice(1), '--agent-id=web']);
});

test('an agent searches for more servers only where the plan says so', () => {
  const args = konnectivityAgentArgs({ ...options, planned: { ...planned, syncForever: false } });
  assert.ok(!args.includes('--sync-forever'));
});
