// Snapshots as text, with words exchanged, left out or said twice: nearly all of them are JSON still.
import { sampleCluster, sampleRoute, sampleSnapshot } from '../../../src/gateway/snapshot/testing/snapshots.ts';
import type { Chance } from './chance.ts';

/** The point of P-256 that everybody knows (SEC 2), as a public key. */
const publicKey = `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==
-----END PUBLIC KEY-----
`;
const tokenAuthority = {
  ...{ issuer: 'https://kubernetes.default.svc', audience: 'causeway-tunnel' },
  subject: 'system:serviceaccount:kube-system:causeway-node-agent',
  keys: [{ id: 'a', publicKey }],
};

const valid = JSON.stringify(
  sampleSnapshot({
    web: sampleCluster('web', { allowedSourceRanges: ['10.0.0.0/8', '2001:db8::/32'], maxConnections: 10 }),
    port: sampleCluster('port', {
      apiServer: sampleRoute({ nodePort: 30_000, backends: ['[2001:db8::1]:6443', 'api.example:443'] }),
      konnectivity: sampleRoute({ addresses: ['192.0.2.1', '2001:db8::9'], port: 8132 }),
      tokenAuthorities: [tokenAuthority],
      evictedNodes: [{ name: 'n1', issuedBefore: 1_790_000_000 }],
      unboundTokensFrom: 1_790_000_000,
    }),
  }),
);

const words = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^"[\]{}:,]+/g;
const own = valid.match(words) ?? [];
const strange = [
  ...['null', 'true', '-1', '0', '65536', '1e999', '30001', '0.5', '[]', '{}', '[[]]', '""', '"\\u0000"', '"ä"', '"."'],
  ...[
    '"10m"',
    '"1h30m"',
    '"99999999h"',
    '"0.0.0.0/0"',
    '"::/0"',
    '"10.0.0.1/8"',
    '"::ffff:10.0.0.1"',
    '"a:1"',
    '"[::1]:1"',
  ],
  ...[
    '"__proto__"',
    '"constructor"',
    '"toString"',
    '"A.Example."',
    '"a..b"',
    '"none"',
    '"token"',
    '"30000-40000"',
    '"5-1"',
  ],
  ...[JSON.stringify('x'.repeat(300)), JSON.stringify('a.'.repeat(200)), '['.repeat(50), '}'],
];

/** Each call gives another text; changes are few, so that some are still right. */
export function snapshotTexts(): (chance: Chance) => string {
  const text = [...own];
  return (chance) => {
    const places: number[] = [];
    for (let i = chance.below(3); i >= 0; i--) {
      const at = chance.below(text.length);
      places.push(at);
      text[at] = changed(text[at] ?? '', chance);
    }
    const made = text.join('');
    for (const at of places) text[at] = own[at] ?? '';
    return made;
  };
}

function changed(word: string, chance: Chance): string {
  switch (chance.below(6)) {
    case 0:
      return '';
    case 1:
      return chance.one(own);
    case 2:
      return word + word;
    case 3:
      return word.length > 2 && word.startsWith('"') ? `"${word.slice(2)}` : word;
    default:
      return chance.one(strange);
  }
}
