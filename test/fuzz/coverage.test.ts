// Every reader of bytes from outside, fuzzed by coverage: a sample in the usual run, ten million inputs with --soak (a million
// where one input is a whole document).
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { sampleCluster, sampleSnapshot } from '../../src/gateway/snapshot/testing/snapshots.ts';
import { everything } from '../../src/model/testing/manifests.ts';
import { proxyHeader } from '../../src/net/proxy-protocol.ts';
import { frameTypes, headerBytes, openPayload, writeHeader } from '../../src/net/tunnel/trunk/frame.ts';
import { type FuzzRequest, fuzzTarget } from '../support/fuzz/fuzz-target.ts';
import { nodeHellos, oddHellos } from '../support/fuzz/real-hellos.ts';
import { projectRoot } from '../support/source-tree.ts';

const file = path.join(projectRoot, 'test/fuzz/targets.ts');
const planted = path.join(projectRoot, 'test/support/fuzz/planted.ts');
const soak = process.env.CAUSEWAY_SOAK === '1';
/** Of bytes, and of documents. */
const [bytes, documents] = soak ? [10_000_000, 1_000_000] : [50_000, 2_000];

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

function frame(type: number, payload: Buffer, stream = 1): Buffer {
  const header = Buffer.alloc(headerBytes);
  writeHeader(header, 0, type as 1, payload.length, stream);
  return Buffer.concat([header, payload]);
}

const address = { address: '192.0.2.1', port: 5000 };
const requests: Readonly<Record<string, Omit<FuzzRequest, 'file' | 'name'>>> = {
  clientHello: { runs: bytes, seeds: [...(await nodeHellos()).map((hello) => hello.bytes), ...oddHellos()] },
  proxyHeader: {
    runs: bytes,
    seeds: [proxyHeader(address, address), latin1('PROXY TCP4 192.0.2.1 10.0.0.1 5000 6443\r\nrest')],
  },
  connectHead: {
    runs: bytes,
    seeds: [
      latin1('HTTP/1.1 200 Connection established\r\n\r\n'),
      latin1('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 407 Required\r\nProxy-Authenticate: Basic\r\n a\r\n\r\nrest'),
    ],
  },
  trunkFrames: {
    runs: bytes,
    seeds: [
      Buffer.concat([
        frame(frameTypes.open, openPayload({ authority: 'a.example:443', credentials: 'token' })),
        frame(frameTypes.data, latin1('hello')),
        frame(frameTypes.credit, Buffer.from([0, 0, 1, 0])),
        frame(frameTypes.end, Buffer.alloc(0)),
      ]),
      frame(frameTypes.refused, latin1('\x09bad-tokenIt is not good.')),
    ],
  },
  tunnelProtocol: {
    runs: bytes,
    seeds: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'CAUSEWAY/1\r\n', 'CONNECT a:1 HTTP/1.1\r\n', '\x16\x03\x01'].map(
      latin1,
    ),
  },
  token: { runs: bytes / 10, seeds: [], seedOf: 'goodToken' },
  snapshot: { runs: documents, seeds: [latin1(JSON.stringify(sampleSnapshot({ web: sampleCluster('web') })))] },
  manifest: { runs: documents, seeds: everything.map((text) => Buffer.from(text)), longest: 16_384 },
};

describe('no input breaks the promises of a reader', () => {
  for (const [name, request] of Object.entries(requests))
    it(name, async (t) => {
      const { failure, runs, reached, corpus } = await fuzzTarget({ file, name, ...request });
      t.diagnostic(`${name}: ${runs} inputs, ${reached} branches, ${corpus} kept`);
      assert.equal(failure, undefined);
      assert.equal(runs, request.runs);
    });
});

describe('the fuzzer', () => {
  const find = (name: string, runs: number, more: Partial<FuzzRequest> = {}) =>
    fuzzTarget({ file: planted, name, seeds: [latin1('abcdef')], runs, sources: /planted/, ...more });

  it('finds what is behind five bytes in a row, which chance alone would not', async () => {
    assert.match((await find('behindFive', 2_000_000)).failure ?? '', /found it/);
  });

  it('finds what is behind a text of the sources', async () => {
    assert.match((await find('behindAWord', 100_000)).failure ?? '', /found it/);
  });

  it('tells the input that does not end', async () => {
    assert.match((await find('withoutEnd', 10, { hangMs: 500 })).failure ?? '', /^input 616263646566: .*does not end/);
  });
});
