// What unauthenticated clients can send, a million times each: no exception, no hang, and answers that are bounded.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { testTokenAuthority } from '../../src/gateway/dataplane/tunnel/testing/service-accounts.ts';
import { readSnapshot } from '../../src/gateway/index.ts';
import { RouteTable } from '../../src/gateway/snapshot/route-table.ts';
import { diffSnapshots, type Snapshot } from '../../src/gateway/snapshot/snapshot.ts';
import { type ClientHello, newHelloProgress, readClientHello } from '../../src/net/client-hello.ts';
import { isIp, signToken, TokenVerifier } from '../../src/net/index.ts';
import { type ProxyReading, proxyHeader, readProxyHeader } from '../../src/net/proxy-protocol.ts';
import { type Chance, inputs, newChance } from '../support/fuzz/chance.ts';
import { mutated, noise } from '../support/fuzz/mutate.ts';
import { asTheyWouldSay, asWeWouldSay, otherReading } from '../support/fuzz/other-reader.ts';
import { nodeHellos, oddHellos } from '../support/fuzz/real-hellos.ts';
import { snapshotTexts } from '../support/fuzz/snapshot-texts.ts';

/** Runs `check` with one input after the other; a failure names the input, so that it can be tried again. */
function feed<Input>(
  next: (chance: Chance) => Input,
  check: (input: Input, chance: Chance) => string,
  show: (input: Input) => string,
  count = inputs,
) {
  const chance = newChance();
  const seen = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    const input = next(chance);
    try {
      const kind = check(input, chance);
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    } catch (error) {
      throw new Error(`input ${i}: ${show(input)}`, { cause: error });
    }
  }
  return seen;
}
const hex = (input: Buffer): string => input.toString('hex');

describe('the ClientHello reader', async () => {
  const hellos = await nodeHellos();
  const seeds = [...hellos.map(({ bytes }) => bytes), ...oddHellos()];

  it('agrees with another reader about real clients, and about odd ones', async () => {
    for (const { bytes, options } of hellos) {
      assert.ok(await agree(bytes));
      const ours = readClientHello(bytes);
      assert.equal(ours.state === 'done' && ours.serverName, options.servername);
    }
    const agreed = await Promise.all(oddHellos().map(agree));
    assert.equal(agreed.filter((read) => !read).length, 2, 'without extensions, in one record and in many');
  });

  it('agrees with another reader about what it accepts of everything else', async () => {
    const asked = helloSample(seeds);
    const agreed = await Promise.all(asked.map(agree));
    assert.ok(agreed.filter((read) => read).length > asked.length / 2 && asked.length > 20, `${asked.length} asked`);
  });

  it('survives everything else', () => {
    const next = (chance: Chance): Buffer =>
      chance.below(20) === 0 ? noise(chance) : mutated(chance.one(seeds), chance);
    const seen = feed(next, checkHello, hex);
    for (const kind of ['done', 'more', 'malformed', 'not-tls', 'too-large'])
      assert.ok((seen.get(kind) ?? 0) > 100, kind);
  });
});

/** Whether the other one could read it; fails when it read something else. */
async function agree(bytes: Buffer): Promise<boolean> {
  const ours = readClientHello(bytes);
  assert.ok(ours.state === 'done');
  const theirs = await otherReading(bytes);
  if (theirs !== undefined) assert.deepEqual(asTheyWouldSay(ours), asWeWouldSay(theirs), hex(bytes));
  return theirs !== undefined;
}

/** Some of those that our reader accepts, because the other one is slow. */
function helloSample(seeds: readonly Buffer[]): Buffer[] {
  const chance = newChance();
  const found: Buffer[] = [];
  for (let i = 0; i < inputs / 200; i++) {
    const input = mutated(chance.one(seeds), chance);
    if (readClientHello(input).state === 'done') found.push(Buffer.from(input));
  }
  return found;
}

function checkHello(input: Buffer, chance: Chance): string {
  const hello = readClientHello(input);
  // The same in pieces, now and then: it costs more.
  if (chance.below(16) === 0) assert.deepEqual(inPieces(input, chance), hello);
  if (hello.state === 'bad') assert.ok(hello.detail.length < 100);
  if (hello.state === 'done') checkContent(hello);
  return hello.state === 'bad' ? hello.why : hello.state;
}

function checkContent({ serverName, isAddress, alpn }: Extract<ClientHello, { state: 'done' }>): void {
  assert.ok(alpn.length <= 16);
  if (serverName === undefined) return;
  assert.match(serverName, isAddress ? /^[0-9a-f.:]{2,45}$/ : /^[a-z0-9._-]{1,253}$/);
}

function inPieces(input: Buffer, chance: Chance): ClientHello {
  const progress = newHelloProgress();
  for (let length = 0; length < input.length; length += 1 + chance.below(100)) {
    const hello = readClientHello(input, length, progress);
    if (hello.state !== 'more') return hello;
  }
  return readClientHello(input, input.length, progress);
}

describe('the PROXY header reader', () => {
  const [v4, v6] = [
    { address: '192.0.2.1', port: 5000 },
    { address: '2001:db8::1', port: 6443 },
  ];
  const tail = Buffer.from('GET / HTTP/1.1\r\n\r\n');
  const seeds = [
    Buffer.concat([proxyHeader(v4, v4), tail]),
    Buffer.concat([proxyHeader(v6, v6), tail]),
    proxyHeader({ address: '', port: 0 }, v4),
    Buffer.from('PROXY TCP4 192.0.2.1 10.0.0.1 5000 6443\r\nrest'),
    Buffer.from('PROXY TCP6 2001:db8::1 2001:db8::2 5000 6443\r\n'),
    Buffer.from('PROXY UNKNOWN\r\n'),
    Buffer.concat([proxyHeader(v4, v4).fill(0x02, 14, 15).fill(0x00, 15, 16), Buffer.alloc(600, 4)]),
  ];

  it('survives everything', () => {
    const next = (chance: Chance): Buffer =>
      chance.below(20) === 0 ? noise(chance) : mutated(chance.one(seeds), chance);
    const seen = feed(next, checkProxy, hex);
    for (const kind of ['done', 'more', 'bad', 'nobody']) assert.ok((seen.get(kind) ?? 0) > 100, kind);
  });
});

function checkProxy(input: Buffer, chance: Chance): string {
  const reading = readProxyHeader(input);
  if (chance.below(16) === 0) checkPrefixes(input, reading);
  if (reading.state !== 'done') return reading.state;
  assert.ok(reading.length <= Math.min(input.length, 552));
  for (const endpoint of [reading.source, reading.destination])
    if (endpoint !== undefined) assert.ok(isIp(endpoint.address) && endpoint.port >= 0 && endpoint.port <= 65_535);
  return reading.source === undefined ? 'nobody' : 'done';
}

/** Who asks early is told to wait, or the same. */
function checkPrefixes(input: Buffer, whole: ProxyReading): void {
  for (let length = 0; length < Math.min(input.length, 120); length++) {
    const reading = readProxyHeader(input, length);
    if (reading.state !== 'more') assert.deepEqual(reading, whole);
  }
}

describe('the token reader', () => {
  const now = Date.UTC(2026, 5, 1);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const cluster = testTokenAuthority();
  const good = [
    signToken({ cluster: 'web', node: 'n1', issuedAt: now, expiresAt: now + 3_600_000 }, privateKey),
    cluster.token('n1', now),
  ];
  const verifier = new TokenVerifier();
  verifier.trustSeed([publicKey.export({ type: 'spki', format: 'pem' }).toString()]);
  verifier.trustCluster('web', [cluster.authority]);
  const seeds = good.map((token) => Buffer.from(token));

  it('takes nothing but what was signed, and throws at nothing', () => {
    const next = (chance: Chance): string =>
      (chance.below(20) === 0 ? noise(chance) : mutated(chance.one(seeds), chance)).toString('latin1');
    const seen = feed(
      next,
      (token) => {
        const verdict = verifier.verify(token, now);
        assert.equal(verdict.ok, good.includes(token));
        return verdict.ok ? 'good' : verdict.refusal;
      },
      (token) => token,
      // Each costs a signature.
      inputs / 10,
    );
    for (const kind of ['bad-token', 'foreign-token']) assert.ok((seen.get(kind) ?? 0) > 10, kind);
  });
});

describe('the snapshot reader', () => {
  it('survives everything, and what it accepts can be routed by', () => {
    let before: Snapshot | undefined;
    const check = (text: string, chance: Chance): string => {
      const { snapshot, problems } = readSnapshot(text, chance.below(2) === 0 ? before : undefined);
      if (snapshot === undefined) return checkProblems(problems);
      const table = new RouteTable();
      if (before !== undefined) table.apply(diffSnapshots(undefined, before));
      table.apply(diffSnapshots(before, snapshot));
      assert.equal(table.size, Object.keys(snapshot.clusters).length);
      before = snapshot;
      return 'accepted';
    };
    const seen = feed(snapshotTexts(), check, (text) => text);
    for (const kind of ['accepted', 'not JSON', 'problems']) assert.ok((seen.get(kind) ?? 0) > 100, kind);
  });
});

function checkProblems(problems: readonly string[]): string {
  assert.ok(problems.length >= 1 && problems.length <= 21);
  for (const problem of problems) assert.ok(problem.length > 0 && problem.length < 1000, problem);
  return problems[0]?.startsWith('this is not JSON') ? 'not JSON' : 'problems';
}
