import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type ClientHello, largestHello, newHelloProgress, readClientHello } from './client-hello.ts';
import { type HelloParts, helloBytes, inRecords, nodeHello, vector } from './testing/hellos.ts';

const of = (parts: HelloParts): ClientHello => readClientHello(helloBytes(parts));
const nameOf = (hello: ClientHello): string | undefined =>
  hello.state === 'done' ? hello.serverName : assert.fail(JSON.stringify(hello));
const whyOf = (hello: ClientHello): string => (hello.state === 'bad' ? hello.why : assert.fail(JSON.stringify(hello)));

describe('the ClientHello of a real client', () => {
  it('tells its name and protocols', async () => {
    const hello = readClientHello(
      await nodeHello({ servername: 'api.example.com', ALPNProtocols: ['h2', 'http/1.1'] }),
    );
    assert.deepEqual(hello, {
      state: 'done',
      serverName: 'api.example.com',
      isAddress: false,
      alpn: ['h2', 'http/1.1'],
      ech: false,
    });
  });

  it('may have no name', async () => {
    assert.equal(nameOf(readClientHello(await nodeHello({}))), undefined);
  });
});

describe('reading a ClientHello', () => {
  it('gives the same answer however it is cut into records, and whatever comes behind', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(cuts, fc.uint8Array({ maxLength: 20 }), (sizes, behind) => {
        const parts = { name: 'web.example.com', alpn: ['h2', 'x'] };
        const cut = Buffer.concat([inRecords(helloBytes(parts), sizes), behind]);
        assert.deepEqual(readClientHello(cut), of(parts));
      }),
    );
  });

  it('asks for more until the last byte of the message is there, and never changes its mind', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 }), (sizes) => {
        const cut = inRecords(helloBytes({ name: 'web.example.com' }), sizes);
        const progress = newHelloProgress();
        for (let length = 0; length < cut.length; length++) {
          assert.equal(readClientHello(cut, length).state, 'more');
          assert.equal(readClientHello(cut, length, progress).state, 'more');
        }
        assert.equal(nameOf(readClientHello(cut, cut.length, progress)), 'web.example.com');
      }),
      { numRuns: 20 },
    );
  });

  it('byte by byte in one-byte records stays fast', () => {
    const padding = { type: 21, data: Buffer.alloc(8000) };
    const cut = inRecords(helloBytes({ name: 'web.example.com', others: [padding] }), [1]);
    const progress = newHelloProgress();
    const started = performance.now();
    for (let length = 0; length < cut.length; length++) readClientHello(cut, length, progress);
    assert.equal(nameOf(readClientHello(cut, cut.length, progress)), 'web.example.com');
    assert.ok(performance.now() - started < 1000);
  });
});

describe('the server name', () => {
  it('is given in lower case and without the dot at its end', () => {
    assert.equal(nameOf(of({ name: 'API.Example.COM.' })), 'api.example.com');
    assert.equal(nameOf(of({ name: 'under_score.example' })), 'under_score.example');
  });

  it('that is an address is told apart', () => {
    for (const name of ['10.0.0.1', '2001:db8::1', '::ffff:10.0.0.1']) {
      const hello = of({ name });
      assert.ok(hello.state === 'done' && hello.isAddress && hello.serverName === name, name);
    }
    assert.equal((of({ name: '10.0.0.1.example' }) as { isAddress: boolean }).isAddress, false);
    assert.equal((of({ name: '1.2.3.400' }) as { isAddress: boolean }).isAddress, false);
  });

  it('with letters that no name has is refused', () => {
    for (const name of ['a\0b.example', 'ä.example', 'a b', 'a/b', 'x:1', '[::1]', 'a\nb', 'a'.repeat(254)]) {
      assert.equal(whyOf(of({ name })), 'malformed', JSON.stringify(name));
    }
  });

  it('must be there once, as the only name in its list', () => {
    const entry = Buffer.concat([Buffer.from([0]), vector(2, Buffer.from('a.example'))]);
    const extension = (data: Buffer) => ({ type: 0, data });
    const refused = [
      [extension(vector(2, entry)), extension(vector(2, entry))],
      [extension(vector(2, Buffer.concat([entry, entry])))],
      [extension(vector(2, Buffer.concat([Buffer.from([1]), vector(2, Buffer.from('a.example'))])))],
      [extension(vector(2, Buffer.alloc(0)))],
      [extension(Buffer.alloc(0))],
      [extension(Buffer.concat([vector(2, entry), Buffer.from([0])]))],
      [extension(vector(2, Buffer.concat([Buffer.from([0]), vector(2, Buffer.alloc(0))])))],
    ];
    for (const others of refused) assert.equal(whyOf(of({ others })), 'malformed');
    assert.equal(nameOf(of({ others: [extension(vector(2, entry))] })), 'a.example');
  });
});

describe('other things in a ClientHello', () => {
  it('are protocols, of which at most 16 are told', () => {
    const alpn = Array.from({ length: 500 }, (_, i) => `p${i}`);
    const hello = of({ alpn });
    assert.deepEqual(hello.state === 'done' && hello.alpn, alpn.slice(0, 16));
  });

  it('are an encrypted ClientHello', () => {
    const hello = of({ name: 'outer.example', others: [{ type: 0xfe0d, data: Buffer.alloc(40) }] });
    assert.ok(hello.state === 'done' && hello.ech);
  });

  it('are missing at old clients, who end behind the compression methods', () => {
    assert.equal(nameOf(of({ withoutExtensions: true })), undefined);
  });
});

describe('what is no ClientHello', () => {
  it('is refused at its first wrong byte', () => {
    assert.equal(whyOf(readClientHello(Buffer.from('G'))), 'not-tls');
    assert.equal(whyOf(readClientHello(Buffer.from([22, 2]))), 'not-tls');
    assert.equal(whyOf(readClientHello(Buffer.from([22, 3, 1, 0, 0]))), 'malformed');
    assert.equal(whyOf(readClientHello(Buffer.from([22, 3, 1, 0x40, 1]))), 'malformed');
    assert.equal(whyOf(readClientHello(Buffer.from([22, 3, 1, 0, 9, 2]))), 'malformed');
    assert.equal(whyOf(readClientHello(Buffer.from([22, 3, 1, 0, 1, 1, 23]))), 'malformed');
  });

  it('is one of more than 16 KiB, refused as soon as it says so', () => {
    const header = (size: number) => Buffer.from([22, 3, 1, 0x40, 0, 1, 0, size >> 8, size & 255]);
    assert.equal(whyOf(readClientHello(header(largestHello - 3))), 'too-large');
    assert.equal(readClientHello(header(largestHello - 4)).state, 'more');
  });

  it('is one with a length that does not fit, wherever it stands', () => {
    const hello = helloBytes({ name: 'web.example.com', alpn: ['h2'] });
    // Record, message and random are in front; from the session on every byte is a length or inside of something.
    const session = 5 + 4 + 34;
    for (const at of [session, session + 1, session + 7, session + 9]) {
      const wrong = Buffer.from(hello);
      wrong[at] = 0xff;
      assert.equal(whyOf(readClientHello(wrong)), 'malformed', `byte ${at}`);
    }
  });
});
