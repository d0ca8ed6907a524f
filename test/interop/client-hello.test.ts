// What OpenSSL and curl really send, read by us and by another reader.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { getExtensionData, readTlsClientHello } from 'read-tls-client-hello';
import { type GoodHello, readClientHello } from '../../src/net/index.ts';
import { needProgram } from '../support/programs.ts';

interface Expected {
  readonly name?: string;
  readonly alpn?: readonly string[];
}

/** The hello of a client that is started with the port to connect to; nobody ever answers it. */
async function helloOf(t: TestContext, program: string, args: (port: number) => readonly string[]): Promise<Buffer> {
  let received = Buffer.alloc(0);
  const hello = Promise.withResolvers<Buffer>();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (readClientHello(received).state === 'more') return;
      hello.resolve(received);
      socket.destroy();
    });
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const client = spawn(program, args((server.address() as AddressInfo).port), { stdio: 'ignore' });
  t.after(() => client.kill());
  return hello.promise;
}

async function check(hello: Buffer, { name, alpn = [] }: Expected): Promise<void> {
  const ours = readClientHello(hello) as GoodHello;
  assert.deepEqual([ours.state, ours.serverName, ours.alpn], ['done', name, alpn]);
  const stream = new PassThrough();
  stream.write(hello);
  const theirs = await readTlsClientHello(stream);
  assert.equal(ours.serverName, getExtensionData(theirs, 'server_name')?.serverName);
  assert.deepEqual(ours.alpn, getExtensionData(theirs, 'application_layer_protocol_negotiation')?.protocols ?? []);
}

const name = 'konnectivity-server.web.west.example.com';
const openssl: Record<string, readonly [args: readonly string[], expected: Expected]> = {
  'a name': [['-servername', name], { name }],
  'no name': [['-noservername'], {}],
  protocols: [['-servername', name, '-alpn', 'h2,http/1.1,x'], { name, alpn: ['h2', 'http/1.1', 'x'] }],
  'TLS 1.2 only': [['-servername', name, '-tls1_2'], { name }],
  'TLS 1.3 with many groups': [
    ['-servername', name, '-tls1_3', '-groups', 'P-256:P-384:P-521:X25519:X448:ffdhe8192'],
    { name },
  ],
  'small records': [['-servername', name, '-max_send_frag', '512', '-cipher', 'ALL:@SECLEVEL=0'], { name }],
};
for (const [what, [args, expected]] of Object.entries(openssl)) {
  test(`openssl s_client with ${what} is understood`, async (t) => {
    const program = needProgram(t, 'openssl');
    if (!program) return;
    await check(await helloOf(t, program, (port) => ['s_client', '-connect', `127.0.0.1:${port}`, ...args]), expected);
  });
}

const curl: Record<string, readonly [args: readonly string[], host: string, expected: Expected]> = {
  'a name': [['--http1.1'], name, { name, alpn: ['http/1.1'] }],
  'HTTP/2': [['--http2'], name, { name, alpn: ['h2', 'http/1.1'] }],
  'no protocols': [['--no-alpn'], name, { name }],
  'capitals in the name': [['--no-alpn'], 'API.Example.COM', { name: 'api.example.com' }],
  'an address': [['--no-alpn'], '127.0.0.1', {}],
};
for (const [what, [args, host, expected]] of Object.entries(curl)) {
  test(`curl with ${what} is understood`, async (t) => {
    const program = needProgram(t, 'curl');
    if (!program) return;
    const run = (port: number) => [
      '-sk',
      ...args,
      '--noproxy',
      '*',
      '--connect-to',
      `::127.0.0.1:${port}`,
      `https://${host}/`,
    ];
    const hello = await helloOf(t, program, run);
    await check(hello, expected);
  });
}
