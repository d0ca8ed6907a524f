import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readSnapshot, snapshotWarnings } from './read-snapshot.ts';
import type { Snapshot, SnapshotCluster, SnapshotRoute } from './snapshot.ts';
import { arbitrarySnapshot, sampleCluster, sampleRoute, sampleSnapshot } from './testing/snapshots.ts';

const problemsOf = (value: unknown): readonly string[] => readSnapshot(JSON.stringify(value)).problems ?? [];
const withCluster = (cluster: unknown): unknown => ({ ...sampleSnapshot(), clusters: { web: cluster } });
const ofRoute = (route: object): readonly string[] =>
  problemsOf(withCluster({ ...sampleCluster('web'), apiServer: { backends: [], ...route } }));
const at = 'clusters.web.apiServer';
const tunnelWith = (tunnel: object): unknown => ({
  ...sampleSnapshot(),
  tunnel: { ...sampleSnapshot().tunnel, ...tunnel },
});
const spkiOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();
const keyOf = (type: 'ed25519' | 'x25519'): string =>
  generateKeyPairSync(type as 'ed25519')
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString();

describe('reading a snapshot', () => {
  it('gives back what was written', () => {
    fc.assert(
      fc.property(arbitrarySnapshot, (snapshot) => {
        assert.deepEqual(readSnapshot(JSON.stringify(snapshot)), { snapshot });
      }),
    );
  });

  it('keeps clusters that are as before as the same objects, and sees that others are not', () => {
    fc.assert(
      fc.property(arbitrarySnapshot, arbitrarySnapshot, (before, after) => {
        const { snapshot } = readSnapshot(JSON.stringify(after), before);
        assert.deepEqual(snapshot, after);
        for (const [name, cluster] of Object.entries(after.clusters)) {
          const known = Object.hasOwn(before.clusters, name) ? before.clusters[name] : undefined;
          const unchanged = JSON.stringify(sorted(known)) === JSON.stringify(sorted(cluster));
          assert.equal(snapshot?.clusters[name] === known, unchanged);
        }
      }),
    );
  });

  it('refuses what is no JSON, and shows what it stumbled over', () => {
    assert.match(readSnapshot('{"version": }').problems?.[0] ?? '', /^this is not JSON: .*version/);
    assert.deepEqual(problemsOf([]), ['a list is not an object']);
  });

  it('refuses more than 64 MiB without reading it', () => {
    assert.deepEqual(readSnapshot(' '.repeat(64 * 1024 * 1024 + 1)).problems, [
      'a snapshot of more than 64 MiB is not read',
    ]);
  });

  it('takes ten thousand clusters in a moment', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`c${i}`, sampleCluster(`c${i}`)]));
    const text = JSON.stringify(sampleSnapshot(many));
    const started = performance.now();
    assert.ok(readSnapshot(text).snapshot);
    assert.ok(performance.now() - started < 10_000);
  });
});

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

describe('a problem in a snapshot', () => {
  it('says where it is, what is wrong and what would be right', () => {
    const cases: readonly (readonly [object, string])[] = [
      [
        { backends: ['10.0.0.1'] },
        `${at}.backends[0]: "10.0.0.1" is not host:port; an IPv6 address goes in brackets, as in [2001:db8::1]:6443`,
      ],
      [
        { backends: ['a:1', '2001:db8::1:6443'] },
        `${at}.backends[1]: "2001:db8::1:6443" is not host:port; an IPv6 address goes in brackets, as in [2001:db8::1]:6443`,
      ],
      [
        { backends: ['a_b:1'] },
        `${at}.backends[0]: "a_b" has "a_b", which is no label; use letters, digits and inner hyphens`,
      ],
      [
        { backends: ['a:0'] },
        `${at}.backends[0]: "a:0" is not host:port; an IPv6 address goes in brackets, as in [2001:db8::1]:6443`,
      ],
      [{ backends: [7] }, `${at}.backends[0]: 7 is not a text`],
      [{ backends: 'a:1' }, `${at}.backends: "a:1" is not a list`],
      [{ sni: 'a..b' }, `${at}.sni: "a..b" has an empty label (two dots in a row); leave one of the dots out`],
      [{ sni: '10.0.0.1' }, `${at}.sni: "10.0.0.1" is an address, and clients send names only`],
      [{ nodePort: 80 }, `${at}.nodePort: 80 is outside of listeners.nodePortRange, 30000-32767`],
      [{ nodePort: '30000' }, `${at}.nodePort: "30000" is not a whole number from 0 to 65535`],
      [{ addresses: ['host'], port: 1 }, `${at}.addresses[0]: "host" is not an IP address`],
      [{ port: 443 }, `${at}.port: belongs to own addresses; add addresses, or write nodePort`],
      [{ SNI: 'a' }, `${at}.SNI: is not a field of a snapshot; did you mean sni?`],
      [
        { colour: 1 },
        `${at}.colour: is not a field of a snapshot; known are sni, authority, nodePort, addresses, port, backends`,
      ],
    ];
    for (const [route, sentence] of cases) assert.deepEqual(ofRoute(route), [sentence]);
  });

  it('can be in everything else too', () => {
    const cases: readonly (readonly [Partial<Record<keyof SnapshotCluster, unknown>>, string])[] = [
      [
        { idleTimeout: '5' },
        'clusters.web.idleTimeout: "5" is not a duration; write a number and a unit, as in 30s, 10m or 1h',
      ],
      [
        { allowedSourceRanges: ['10.0.0.1/8'] },
        'clusters.web.allowedSourceRanges[0]: "10.0.0.1/8" has host bits set; write 10.0.0.0/8',
      ],
      [{ maxConnections: -1 }, 'clusters.web.maxConnections: -1 is not a whole number from 0 to 1000000000'],
      [{ maxConnections: 1.5 }, 'clusters.web.maxConnections: 1.5 is not a whole number from 0 to 1000000000'],
      [{ backendProxyProtocol: 1 }, 'clusters.web.backendProxyProtocol: 1 is neither true nor false'],
      [{ konnectivity: undefined }, 'clusters.web.konnectivity: is missing'],
      [{ konnectivity: null }, 'clusters.web.konnectivity: null is not an object'],
    ];
    for (const [change, sentence] of cases)
      assert.deepEqual(problemsOf(withCluster({ ...sampleCluster('web'), ...change })), [sentence]);
    assert.deepEqual(problemsOf({ ...sampleSnapshot(), clusters: { We: sampleCluster('web') } }), [
      'clusters: "We" is not a name; use up to 63 lower-case letters, digits and inner hyphens',
    ]);
    assert.deepEqual(
      readSnapshot(JSON.stringify(sampleSnapshot()).replace('"web"', '"__proto__"')).problems?.length,
      1,
    );
  });

  it('is told twenty times, then counted', () => {
    const clusters = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`c${i}`, 7]));
    const problems = problemsOf({ ...sampleSnapshot(), clusters });
    assert.equal(problems.length, 21);
    assert.equal(problems.at(-1), 'and 30 more');
  });

  it('does not repeat a book', () => {
    for (const problem of [
      ...ofRoute({ sni: 'x'.repeat(1e6) }),
      ...ofRoute({ ['k'.repeat(1e6)]: 1 }),
      ...ofRoute({ port: 'x'.repeat(1e6) }),
    ])
      assert.ok(problem.length < 400);
  });
});

describe('what two routes claim', () => {
  const claimed = (one: Partial<SnapshotRoute>, other: Partial<SnapshotRoute>): readonly string[] =>
    problemsOf(
      sampleSnapshot({
        one: sampleCluster('one', { apiServer: sampleRoute(one) }),
        other: sampleCluster('other', { apiServer: sampleRoute(other) }),
      }),
    );

  it('is refused, however it is written', () => {
    const cases: readonly (readonly [Partial<SnapshotRoute>, Partial<SnapshotRoute>, string])[] = [
      [{ sni: 'a.example' }, { sni: 'A.example.' }, 'sni: a.example is taken by clusters.one.apiServer'],
      [{ authority: 'a:1' }, { authority: 'A:1' }, 'authority: a:1 is taken by clusters.one.apiServer'],
      [{ nodePort: 30000 }, { nodePort: 30000 }, 'nodePort: 30000 is taken by clusters.one.apiServer'],
      [{ nodePort: 0 }, { nodePort: 0 }, 'nodePort: 0 is taken by clusters.one.apiServer'],
      [
        { addresses: ['192.0.2.1', '2001:db8::1'], port: 1 },
        { addresses: ['2001:DB8:0::1'], port: 1 },
        'addresses: 2001:db8::1 1 is taken by clusters.one.apiServer',
      ],
    ];
    for (const [one, other, sentence] of cases)
      assert.deepEqual(claimed(one, other), [`clusters.other.apiServer.${sentence}`]);
    assert.deepEqual(claimed({ addresses: ['192.0.2.1'], port: 1 }, { addresses: ['192.0.2.1'], port: 2 }), []);
  });

  it('may not be what the gateway itself needs', () => {
    assert.deepEqual(ofRoute({ sni: 'Tunnel.west.example.com' }), [
      `${at}.sni: tunnel.west.example.com is taken by tunnel.name`,
    ]);
    const listeners = { sni: 30_000, tunnel: 30_000, nodePortRange: '30000-32767' };
    assert.deepEqual(problemsOf(sampleSnapshot({}, { listeners })), [
      'listeners.tunnel: port 30000 is taken by listeners.sni',
    ]);
    const cluster = sampleCluster('web', { apiServer: sampleRoute({ nodePort: 30_001 }) });
    assert.deepEqual(problemsOf(sampleSnapshot({ web: cluster }, { listeners: { ...listeners, tunnel: 30_001 } })), [
      `${at}.nodePort: 30001 is taken by listeners.tunnel`,
    ]);
  });

  it('does not meet at port 0, which is another one each time', () => {
    const listeners = { sni: 0, tunnel: 0, single: 0, nodePortRange: '1-65535' };
    const cluster = sampleCluster('web', { apiServer: sampleRoute({ nodePort: 0 }) });
    assert.deepEqual(problemsOf(sampleSnapshot({ web: cluster }, { listeners })), []);
  });
});

describe('keys and authorities of a tunnel', () => {
  it('are Ed25519 keys and certificates of authorities', () => {
    assert.deepEqual(problemsOf(tunnelWith({ publicKeys: [keyOf('ed25519')] })), []);
    assert.deepEqual(problemsOf(tunnelWith({ publicKeys: [keyOf('x25519')] })), [
      'tunnel.publicKeys[0]: is a key of type x25519; tokens are signed with ed25519',
    ]);
    const empty = '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n';
    assert.match(
      problemsOf(tunnelWith({ publicKeys: ['x', empty] })).join(),
      /\[0\]: is not a public key.*\[1\]: is not/,
    );
    assert.match(
      problemsOf(tunnelWith({ clientAuthorities: ['x'] })).join(),
      /^tunnel.clientAuthorities\[0\]: is not a cert/,
    );
  });

  it('that are missing are worth a warning, as are tunnels without authentication', () => {
    const warningsOf = (tunnel: Partial<Snapshot['tunnel']>): string =>
      snapshotWarnings(sampleSnapshot({}, { tunnel: { ...sampleSnapshot().tunnel, ...tunnel } })).join('\n');
    assert.match(warningsOf({}), /publicKeys is empty[\s\S]*certificate is missing/);
    assert.match(warningsOf({ authentication: 'certificate' }), /clientAuthorities is empty/);
    assert.match(warningsOf({ authentication: 'none' }), /^tunnel.authentication is none/);
    const certificate = { certFile: 'a', keyFile: 'b' };
    assert.equal(warningsOf({ certificate, publicKeys: ['key'] }), '');
  });
});

describe('whose tokens a cluster takes', () => {
  const publicKey = spkiOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey);
  const account = 'system:serviceaccount:kube-system:causeway-node-agent';
  const authority = (id: string, more: object = {}): object => ({
    ...{ issuer: 'https://kubernetes.default.svc', audience: 'causeway-tunnel', subject: account },
    keys: [{ id, publicKey }],
    ...more,
  });
  const path = 'clusters.web.tokenAuthorities';
  const ofCluster = (more: object): readonly string[] => problemsOf(withCluster({ ...sampleCluster('web'), ...more }));

  it('is read with nodes that were evicted', () => {
    const cluster = {
      tokenAuthorities: [authority('a')],
      evictedNodes: [{ name: 'n1.example' }, { name: 'n2', issuedBefore: 1_790_000_000 }],
      unboundTokensFrom: 1_790_000_000,
    };
    assert.deepEqual(ofCluster(cluster), []);
    assert.deepEqual(ofCluster({ tokenAuthorities: [], evictedNodes: [] }), []);
  });

  it('is refused with where and why', () => {
    const short = spkiOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey);
    const curve = spkiOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey);
    const notSigned = (type: string): string =>
      `${path}[0].keys[0].publicKey: is a key of type ${type}; tokens are signed with ec P-256 or rsa of 2048 bits or more`;
    const cases: readonly (readonly [object, string])[] = [
      [
        { tokenAuthorities: [authority('a', { keys: [{ id: 'a', publicKey: keyOf('ed25519') }] })] },
        notSigned('ed25519'),
      ],
      [{ tokenAuthorities: [authority('a', { keys: [{ id: 'a', publicKey: short }] })] }, notSigned('rsa')],
      [{ tokenAuthorities: [authority('a', { keys: [{ id: 'a', publicKey: curve }] })] }, notSigned('ec')],
      [{ tokenAuthorities: [authority('a', { subject: undefined })] }, `${path}[0].subject: is missing`],
      [
        { tokenAuthorities: [authority('a', { subject: 'kube-system:x' })] },
        `${path}[0].subject: "kube-system:x" is not the name of a service account; write system:serviceaccount:NAMESPACE:NAME`,
      ],
      [{ tokenAuthorities: [authority('a', { audience: '' })] }, `${path}[0].audience: is empty`],
      [{ tokenAuthorities: {} }, `${path}: an object is not a list`],
      [{ evictedNodes: ['n1'] }, 'clusters.web.evictedNodes[0]: "n1" is not an object'],
      [
        { evictedNodes: [{ name: 'N1' }] },
        'clusters.web.evictedNodes[0].name: "N1" is not the name of a node, as "kubectl get nodes" shows it',
      ],
      [{ unboundTokensFrom: '1' }, 'clusters.web.unboundTokensFrom: "1" is not a whole number from 0 to 100000000000'],
    ];
    for (const [more, sentence] of cases) assert.deepEqual(ofCluster(more), [sentence]);
  });

  it('needs no key of the seed', () => {
    const tunnel = { ...sampleSnapshot().tunnel, certificate: { certFile: 'a', keyFile: 'b' } };
    const cluster = { ...sampleCluster('web'), tokenAuthorities: [authority('a')] } as SnapshotCluster;
    assert.deepEqual(snapshotWarnings(sampleSnapshot({ web: cluster }, { tunnel })), []);
    assert.equal(snapshotWarnings(sampleSnapshot({ web: sampleCluster('web') }, { tunnel })).length, 1);
  });

  it('is never a matter of luck: no key is of two', () => {
    const [one, other] = ['one', 'other'].map((name) => ({
      ...sampleCluster(name),
      tokenAuthorities: [authority('a')],
    }));
    assert.deepEqual(problemsOf({ ...sampleSnapshot(), clusters: { one, other } }), [
      'clusters.other.tokenAuthorities: key "a" is taken by clusters.one',
    ]);
  });
});
