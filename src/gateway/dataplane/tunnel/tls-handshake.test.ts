// Handshakes that fail: the operator hears why.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { type ConnectionOptions, connect } from 'node:tls';
import { selfSigned } from '../../../net/wire/testing/certificate.ts';
import type { Log } from '../../../sys/log.ts';
import { silentSocket, soon } from './testing/peers.ts';
import { type TunnelFixture, tunnelFixture } from './testing/tunnel-fixture.ts';

const limit = { timeout: 30_000 };
const certificate = selfSigned('tunnel.example');

/** What a TLS client without anything in common with us hears. */
const failure = async (port: number, options: ConnectionOptions): Promise<string> => {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
  const [error] = (await once(socket, 'error').catch((reason) => [reason])) as [NodeJS.ErrnoException];
  socket.destroy();
  return String(error.code);
};
const counted = async ({ refused, details }: TunnelFixture): Promise<[string | undefined, string | undefined]> => {
  while (refused.length === 0) await soon();
  return [refused[0], details[0]];
};

/** As most programs do, and Node does not: it looks at the certificate in the handshake. */
async function distrustingClient(t: TestContext, port: number): Promise<void> {
  const words = ['s_client', '-connect', `127.0.0.1:${port}`, '-verify_return_error', '-alpn', 'h2'];
  const client = spawn('openssl', words, { stdio: ['ignore', 'ignore', 'ignore'] });
  t.after(() => client.kill());
  await once(client, 'exit');
}

const cases: Readonly<Record<string, [(t: TestContext, port: number) => Promise<unknown>, string, RegExp]>> = {
  'an agent that does not trust the certificate': [
    distrustingClient,
    'handshake-failed',
    /^(unknown_ca|bad_certificate|certificate_unknown): the agent does not/,
  ],
  'a TLS version of the past': [
    (_t, port) => failure(port, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    'handshake-failed',
    /^unsupported_protocol$/,
  ],
  'a protocol that nobody speaks here': [
    (_t, port) => failure(port, { ALPNProtocols: ['http/1.1'] }),
    'handshake-failed',
    /^no_application_protocol$/,
  ],
  'an agent that hangs up in the middle': [
    async (t, port) => {
      const socket = await silentSocket(t, port, Buffer.from([0x16, 3, 1, 0, 200, 1, 0]));
      await soon(50);
      socket.destroy();
    },
    'handshake-failed',
    /^closed: /,
  ],
  garbage: [(t, port) => silentSocket(t, port, Buffer.from('\x16\x03\x01\x00\x05hello')), 'hello-malformed', /./],
};

for (const [name, [come, code, detail]] of Object.entries(cases)) {
  test(`${name}: ${code}`, limit, async (t) => {
    const fixture = await tunnelFixture(t, { certificate, tunnel: { authentication: 'token' } });
    await come(t, fixture.port);
    const [refusal, told = ''] = await counted(fixture);
    assert.equal(refusal, code, told);
    assert.match(told, detail);
    while (fixture.server.open > 0) await soon();
    assert.equal(fixture.refused.length, 1);
  });
}

test('without a certificate agents hear it, and the log is left to the refusals', limit, async (t) => {
  const lines: string[] = [];
  const note = (message: string): void => void lines.push(message);
  const log: Log = { info: note, warn: note, error: note };
  const { port, refused } = await tunnelFixture(t, { log, tunnel: { authentication: 'token' } });
  for (let count = 0; count < 10; count += 1)
    assert.match(await failure(port, { ALPNProtocols: ['h2'] }), /ALERT_INTERNAL_ERROR/);
  assert.deepEqual(refused, Array(10).fill('no-certificate'));
  assert.deepEqual(lines, []);
});
