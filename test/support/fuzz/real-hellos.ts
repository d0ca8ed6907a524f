// ClientHellos of Node's TLS in many shapes, and of our own making where no library says such things.
import type { ConnectionOptions } from 'node:tls';
import { helloBytes, inRecords, nodeHello } from '../../../src/net/testing/hellos.ts';

const names = [
  undefined,
  'a.example',
  'konnectivity-server.web.west.kubermatic.example.com',
  `${'x'.repeat(63)}.example`,
];
const protocols = [undefined, ['h2'], ['h2', 'http/1.1'], ['causeway/1', 'h2', 'x'.repeat(200)]];
const others: readonly ConnectionOptions[] = [
  {},
  { minVersion: 'TLSv1.3' },
  { maxVersion: 'TLSv1.2' },
  { ecdhCurve: 'X25519MLKEM768:X25519' },
  { ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' },
];

export interface RealHello {
  readonly bytes: Buffer;
  readonly options: ConnectionOptions;
}

export async function nodeHellos(): Promise<RealHello[]> {
  const found: RealHello[] = [];
  for (const servername of names)
    for (const ALPNProtocols of protocols)
      for (const more of others) {
        const options = { ...more, ...(servername && { servername }), ...(ALPNProtocols && { ALPNProtocols }) };
        found.push({ bytes: await nodeHello(options), options });
      }
  return found;
}

/** As browsers send them: reserved values in between, large key shares, padding, ECH. */
export function oddHellos(): Buffer[] {
  const grease = { type: 0x1a1a, data: Buffer.alloc(1) };
  const keyShare = { type: 51, data: Buffer.alloc(1250, 7) };
  const padding = { type: 21, data: Buffer.alloc(300) };
  const ech = { type: 0xfe0d, data: Buffer.alloc(180, 9) };
  const hellos = [
    helloBytes({ name: 'a.example', alpn: ['h2'], others: [grease, keyShare, padding, { ...grease, type: 0x2a2a }] }),
    helloBytes({ name: 'outer.example', others: [ech, keyShare] }),
    helloBytes({ name: '10.0.0.1' }),
    helloBytes({ name: '2001:db8::1' }),
    helloBytes({ withoutExtensions: true }),
    helloBytes({ alpn: Array.from({ length: 40 }, (_, i) => `p${i}`) }),
  ];
  return [
    ...hellos,
    ...hellos.map((hello) => inRecords(hello, [3, 60, 1])),
    inRecords(helloBytes({ name: 'a.example' }), [1]),
  ];
}
