// What each reader of untrusted bytes promises, for any input: no exception, no endless loop, bounded answers, and the same
// answer wherever the bytes are cut. The fuzzer bundles this file and follows which branches an input reaches.
import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { detectProtocol } from '../../src/gateway/dataplane/tunnel/protocol-inspector.ts';
import { readSnapshot } from '../../src/gateway/index.ts';
import { RouteTable } from '../../src/gateway/snapshot/route-table.ts';
import { diffSnapshots } from '../../src/gateway/snapshot/snapshot.ts';
import { decode } from '../../src/model/load/decode.ts';
import { loadFiles } from '../../src/model/load/load-files.ts';
import { newHelloProgress, readClientHello } from '../../src/net/client-hello.ts';
import { ConnectResponseReader, type HeadResult, headLimits } from '../../src/net/connect-head.ts';
import { isIp } from '../../src/net/index.ts';
import { readProxyHeader } from '../../src/net/proxy-protocol.ts';
import { serviceAccountKeyId } from '../../src/net/service-account-token.ts';
import { signToken, tokenAudience } from '../../src/net/token.ts';
import { TokenVerifier } from '../../src/net/token-verifier.ts';
import { frameTypes, readOpen, readRefused } from '../../src/net/tunnel/trunk/frame.ts';
import { type FrameHandler, FrameReader } from '../../src/net/tunnel/trunk/frame-reader.ts';

/** Where the input is cut in two: chosen by the input, so that the fuzzer can move it. */
const cutOf = (input: Buffer): number => (input.length === 0 ? 0 : (input[input.length - 1] as number) % input.length);

export function clientHello(input: Buffer): void {
  const whole = readClientHello(input);
  const progress = newHelloProgress();
  const early = readClientHello(input, cutOf(input), progress);
  if (early.state === 'more') assert.deepEqual(readClientHello(input, input.length, progress), whole);
  if (whole.state === 'bad') assert.ok(whole.detail.length < 100);
  if (whole.state !== 'done') return;
  assert.ok(whole.alpn.length <= 16);
  if (whole.serverName !== undefined)
    assert.match(whole.serverName, whole.isAddress ? /^[0-9a-f.:]{2,45}$/ : /^[a-z0-9._-]{1,253}$/);
}

export function proxyHeader(input: Buffer): void {
  const whole = readProxyHeader(input);
  const early = readProxyHeader(input, cutOf(input));
  if (early.state !== 'more') assert.deepEqual(early, whole);
  if (whole.state !== 'done') return;
  assert.ok(whole.length <= Math.min(input.length, 552));
  for (const endpoint of [whole.source, whole.destination])
    if (endpoint !== undefined) assert.ok(isIp(endpoint.address) && endpoint.port >= 0 && endpoint.port <= 65_535);
}

export function connectHead(input: Buffer): void {
  const whole = new ConnectResponseReader().push(input);
  const reader = new ConnectResponseReader();
  const early = reader.push(input.subarray(0, cutOf(input)));
  // What is wrong with the beginning may be another fault than that of the whole: it is known earlier.
  const late = early.state === 'more' ? reader.push(input.subarray(cutOf(input))) : early;
  assert.equal(late.state, whole.state);
  if (late.state === 'done' && whole.state === 'done') {
    assert.deepEqual([late.response.status, late.response.headers], [whole.response.status, whole.response.headers]);
    checkResponse(whole);
  }
  if (whole.state === 'bad') assert.match(whole.start, /^[\x20-\x7e·]{0,80}$/);
}

function checkResponse({ response, rest }: Extract<HeadResult, { state: 'done' }>): void {
  assert.ok(response.status >= 200 && response.status <= 999 && rest.length >= 0);
  assert.match(response.statusLine, /^[\x20-\x7e·]*$/);
  assert.ok(response.headers.size <= headLimits.lines);
}

/** Frames as a list; data is put together again, for it comes in as many parts as there are chunks. */
class Frames implements FrameHandler {
  readonly seen: string[] = [];
  problem = '';
  part(stream: number, data: Buffer): void {
    const name = `data ${stream} `;
    const last = this.seen.at(-1);
    if (last?.startsWith(name)) this.seen[this.seen.length - 1] = last + data.toString('hex');
    else this.seen.push(name + data.toString('hex'));
  }
  frame(type: number, stream: number, payload: Buffer): void {
    this.seen.push(`${type} ${stream} ${payload.toString('hex')}`);
    if (type === frameTypes.open) checkOpen(payload);
    if (type === frameTypes.refused) readRefused(payload);
  }
  bad(why: string): void {
    assert.ok(why.length < 100);
    this.problem = why;
  }
}

function checkOpen(payload: Buffer): void {
  const open = readOpen(payload);
  if (open !== undefined) assert.ok(open.authority.length + (open.credentials ?? '').length <= payload.length);
}

/** A turn reads so many frames and leaves the rest for the next one. */
function read(reader: FrameReader, chunk: Buffer): void {
  for (let at = 0, before = -1; at < chunk.length; ) {
    assert.ok(at > before, 'it stands still');
    before = at;
    at = reader.push(chunk, 0, at);
  }
}

export function trunkFrames(input: Buffer): void {
  const [whole, cut] = [new Frames(), new Frames()];
  read(new FrameReader(whole), input);
  const reader = new FrameReader(cut);
  read(reader, input.subarray(0, cutOf(input)));
  read(reader, input.subarray(cutOf(input)));
  assert.deepEqual(cut.seen, whole.seen);
  assert.equal(cut.problem, whole.problem);
}

export function tunnelProtocol(input: Buffer): void {
  const whole = detectProtocol(input);
  const early = detectProtocol(input.subarray(0, cutOf(input)));
  if (early !== undefined) assert.equal(early, whole);
  if (input.length >= 24) assert.notEqual(whole, undefined);
}

export function snapshot(input: Buffer): void {
  const { snapshot: read, problems } = readSnapshot(input.toString('utf8'), undefined);
  if (read === undefined) {
    assert.ok(problems.length >= 1 && problems.length <= 21);
    for (const problem of problems) assert.ok(problem.length > 0 && problem.length < 1000);
    return;
  }
  const table = new RouteTable();
  table.apply(diffSnapshots(undefined, read));
  assert.equal(table.size, Object.keys(read.clusters).length);
}

export function manifest(input: Buffer): void {
  const decoded = decode('x.yaml', input);
  if (!('text' in decoded)) return;
  const { model, findings } = loadFiles([{ path: 'x.yaml', text: decoded.text }]);
  assert.ok(model !== undefined || findings.length > 0);
  const lines = decoded.text.split(/\r\n|\r|\n/);
  for (const { position, message, fix } of findings) {
    assert.ok(message !== '' && fix !== '');
    if (position === undefined) continue;
    const line = lines[position.line - 1];
    assert.ok(line !== undefined && position.column >= 1 && position.column <= line.length + 1);
  }
}

const keys = generateKeyPairSync('ed25519');
const clusterKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const now = Date.UTC(2030, 0, 1);
/** The fuzzer starts from it: it has another key in each run. */
export const goodToken = signToken(
  { cluster: 'web', node: 'n1', issuedAt: now - 1000, expiresAt: now + 3_600_000 },
  keys.privateKey,
);
const pem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

const verifier = new TokenVerifier();
verifier.trustSeed([pem(keys.publicKey)]);
const [issuer, subject] = ['https://kubernetes.default.svc', 'system:serviceaccount:kube-system:agent'];
const clusterKey = { id: serviceAccountKeyId(clusterKeys.publicKey), publicKey: pem(clusterKeys.publicKey) };
verifier.trustCluster('shop', [{ issuer, audience: tokenAudience, subject, keys: [clusterKey] }]);

/** Nobody has the keys but this file, so whatever is accepted is the one token that it signed. */
export function token(input: Buffer): void {
  const said = input.toString('latin1');
  const verdict = verifier.verify(said, now);
  assert.equal(verdict.ok, said === goodToken);
  assert.deepEqual(verifier.verify(said, now), verdict);
}
