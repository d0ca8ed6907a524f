import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type AddressedNode, type Review, reviewServing, type ServingRequest } from './review.ts';

const node = (name: string, addresses: readonly string[]): AddressedNode => ({
  metadata: { name },
  status: {
    addresses: [{ type: 'Hostname', address: name }, ...addresses.map((address) => ({ type: 'InternalIP', address }))],
  },
});
const nodes = [node('one', ['10.0.0.1', 'fd00::1']), node('two', ['10.0.0.2'])];

const content = (changes: Partial<NonNullable<ServingRequest['content']>> = {}): ServingRequest['content'] => ({
  subject: [
    ['O', 'system:nodes'],
    ['CN', 'system:node:one'],
  ],
  dnsNames: ['one'],
  ips: ['10.0.0.1'],
  others: [],
  ...changes,
});
const asked = (changes: Partial<ServingRequest> = {}): ServingRequest => ({
  signerName: 'kubernetes.io/kubelet-serving',
  username: 'system:node:one',
  groups: ['system:nodes', 'system:authenticated'],
  usages: ['digital signature', 'server auth'],
  content: content(),
  ...changes,
});
const verdict = (request: ServingRequest, known = nodes): [string, string?] => {
  const review: Review = reviewServing(request, known);
  return review.verdict === 'approve' ? ['approve'] : [review.verdict, review.reason];
};

describe('a node gets a certificate to serve with', () => {
  it('for addresses and names that its Node has, however they are written', () => {
    assert.deepEqual(verdict(asked()), ['approve']);
    assert.deepEqual(verdict(asked({ content: content({ dnsNames: [], ips: ['fd00:0:0::1', '10.0.0.1'] }) })), [
      'approve',
    ]);
  });

  it('with the key of RSA too', () => {
    assert.deepEqual(verdict(asked({ usages: ['key encipherment', 'server auth', 'digital signature'] })), ['approve']);
  });

  it('when its Node has the address, and not before', () => {
    assert.deepEqual(verdict(asked(), []), ['wait', 'NoNode']);
    assert.deepEqual(verdict(asked(), [node('one', [])]), ['wait', 'ForeignAddress']);
  });
});

describe('a request is refused', () => {
  const refused: Record<string, [Partial<ServingRequest>, string]> = {
    'of somebody who is no node': [{ username: 'system:serviceaccount:default:one' }, 'NotANode'],
    'of a user with the name of a node who is not in its group': [{ groups: ['system:authenticated'] }, 'NotANode'],
    'of nobody': [{ username: 'system:node:' }, 'NotANode'],
    'to another signer': [{ signerName: 'kubernetes.io/kube-apiserver-client' }, 'WrongSigner'],
    'without a key behind it': [{ content: undefined }, 'Unreadable'],
    'for a client': [{ usages: ['digital signature', 'client auth'] }, 'WrongUsages'],
    'for a client as well': [{ usages: ['digital signature', 'server auth', 'client auth'] }, 'WrongUsages'],
    'for no usage': [{ usages: [] }, 'WrongUsages'],
    'for an authority': [{ content: content({ others: ['2.5.29.19'] }) }, 'WrongNames'],
    'with a name of another kind': [{ content: content({ others: ['url'] }) }, 'WrongNames'],
    'for no address': [{ content: content({ ips: [] }) }, 'NoAddress'],
  };
  for (const [what, [changes, reason]] of Object.entries(refused))
    it(what, () => assert.deepEqual(verdict(asked(changes)), ['deny', reason]));

  const subjects: Record<string, readonly (readonly [string, string])[]> = {
    'of another node': [
      ['O', 'system:nodes'],
      ['CN', 'system:node:two'],
    ],
    'of another group': [
      ['O', 'system:masters'],
      ['CN', 'system:node:one'],
    ],
    'of one more group': [
      ['O', 'system:nodes'],
      ['O', 'system:masters'],
      ['CN', 'system:node:one'],
    ],
    'with an attribute beside it': [
      ['O', 'system:nodes'],
      ['CN', 'system:node:one'],
      ['OU', 'x'],
    ],
    'without a group': [['CN', 'system:node:one']],
  };
  for (const [what, subject] of Object.entries(subjects))
    it(`with the subject ${what}`, () => {
      assert.deepEqual(verdict(asked({ content: content({ subject }) })), ['deny', 'WrongSubject']);
    });
});

describe('an address that is not the node’s own waits', () => {
  for (const [what, changes] of Object.entries({
    'of another node': { ips: ['10.0.0.2'] },
    'of nobody': { ips: ['10.0.0.1', '192.0.2.1'] },
    'the name of another node': { dnsNames: ['two'] },
    'the name of the API server': { dnsNames: ['kubernetes.default.svc'] },
  }))
    it(what, () => {
      const [kind, reason] = verdict(asked({ content: content(changes) }));
      assert.deepEqual([kind, reason], ['wait', 'ForeignAddress']);
    });

  it('an address that two nodes say is their own is given to neither, whichever is older', () => {
    const honest = node('two', ['10.0.0.2']);
    const thief = node('one', ['10.0.0.1', '10.0.0.2']);
    assert.deepEqual(verdict(asked({ content: content({ ips: ['10.0.0.2'] }) }), [thief, honest]), [
      'wait',
      'AddressTaken',
    ]);
    const owner = asked({
      username: 'system:node:two',
      content: content({
        subject: [
          ['O', 'system:nodes'],
          ['CN', 'system:node:two'],
        ],
        dnsNames: ['two'],
        ips: ['10.0.0.2'],
      }),
    });
    for (const both of [
      [thief, honest],
      [honest, thief],
    ])
      assert.deepEqual(verdict(owner, both), ['wait', 'AddressTaken']);
    assert.deepEqual(verdict(owner, [honest, node('one', ['10.0.0.1'])]), ['approve']);
  });

  it('what another node says that is no address keeps nobody from a certificate', () => {
    for (const odd of ['::ffff:10.9.9.9', 'fe80::1%eth0', 'nonsense', ''])
      assert.deepEqual(verdict(asked(), [...nodes, node('three', [odd])]), ['approve']);
    assert.deepEqual(verdict(asked(), [...nodes, node('three', ['::ffff:10.0.0.1'])]), ['wait', 'AddressTaken']);
  });

  it('an address of IPv4 in IPv6 notation, which would be signed as the one of another node, is refused', () => {
    for (const mapped of ['::ffff:10.0.0.2', '::ffff:a00:2', '0:0:0:0:0:ffff:a00:2'])
      assert.deepEqual(
        verdict(asked({ content: content({ ips: [mapped] }) }), [node('one', [mapped]), node('two', ['10.0.0.2'])]),
        ['deny', 'WrongNames'],
      );
  });

  it('the name of another node is its own however it is written, and no name is of many', () => {
    for (const name of ['TWO', 'two.'])
      assert.deepEqual(
        verdict(asked({ content: content({ dnsNames: [name] }) }), [
          node('one', ['10.0.0.1', name]),
          nodes[1] as AddressedNode,
        ]),
        ['wait', 'AddressTaken'],
      );
    const all = [node('one', ['10.0.0.1', '*.internal'])];
    assert.deepEqual(verdict(asked({ content: content({ dnsNames: ['*.internal'] }) }), all), ['deny', 'WrongNames']);
  });
});

it('what is approved names addresses of its node alone, and no address is approved for two', () => {
  const address = fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.0.3', 'fd00::1', 'fd00:0::1');
  const name = fc.constantFrom('one', 'two', 'three');
  const some = fc.uniqueArray(fc.record({ name, addresses: fc.uniqueArray(address, { maxLength: 3 }) }), {
    selector: (one) => one.name,
  });
  fc.assert(
    fc.property(some, address, (drawn, wanted) => {
      const all = drawn.map((one) => node(one.name, one.addresses));
      const approved = all.filter(({ metadata }) => {
        const username = `system:node:${metadata.name}`;
        const subject = [
          ['O', 'system:nodes'],
          ['CN', username],
        ] as const;
        return (
          verdict(asked({ username, content: content({ subject, dnsNames: [], ips: [wanted] }) }), all)[0] === 'approve'
        );
      });
      assert.ok(approved.length <= 1, approved.map(({ metadata }) => metadata.name).join());
      const written = (text: string): string => text.replace('fd00:0::1', 'fd00::1');
      for (const { status } of approved)
        assert.ok(status?.addresses?.some((one) => written(one.address) === written(wanted)));
    }),
  );
});
