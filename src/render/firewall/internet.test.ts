import assert from 'node:assert/strict';
import test from 'node:test';
import { contains, parseRange } from '../../core/ip.ts';
import { plan } from '../../plan/index.ts';
import type { Plan } from '../../plan/schema/index.ts';
import { sampleModel } from '../testing/sample-model.ts';
import { outside } from './internet.ts';
import { nftables } from './nftables.ts';

const planned = plan(sampleModel);
const textOf = (of: Plan): string => nftables.files(of)[0]?.text ?? '';

/** The ruleset as the packet filter evaluates it: sets by name, then the pairs of sets that are let through. */
function accepts(text: string, from: string, to: string): string[] {
  const sets = new Map(
    [...text.matchAll(/^ {2}set (\S+) \{.*elements = \{ (.*) \}; \}$/gm)].map(([, name, elements]) => [
      name,
      (elements ?? '').split(', ').map(parseRange),
    ]),
  );
  const holds = (name: string | undefined, address: string): boolean =>
    (sets.get(name) ?? []).some((range) => contains(range, parseRange(address)));
  const rules = [...text.matchAll(/^ +ip6? saddr @(\S+) ip6? daddr @(\S+) .*counter accept.*$/gm)];
  assert.ok(rules.length > 0);
  return rules.filter(([, source, target]) => holds(source, from) && holds(target, to)).map(([rule]) => rule);
}

test('no rule lets a node of a seed reach a worker', () => {
  for (const worker of ['10.2.0.50', '10.6.0.50', '10.7.0.50']) {
    for (const node of ['10.1.0.11', '10.3.0.20', '10.0.0.5']) {
      assert.deepEqual(accepts(textOf(planned), node, worker), [], `${node} to ${worker}`);
    }
  }
});

test('a node of a seed still reaches the Internet, and workers the gateway', () => {
  assert.notDeepEqual(accepts(textOf(planned), '10.1.0.11', '8.8.8.8'), []);
  assert.notDeepEqual(accepts(textOf(planned), '2001:db8:1::5', '2a00::1'), []);
});

test('a public network of the platform is not the Internet', () => {
  const workers = { id: 'x', title: 'x', networks: ['203.0.113.0/24', '2a01::/32'], hosts: [], pending: false };
  const ranges = outside({ ...planned, places: { workers } }).map(parseRange);
  const isOutside = (address: string): boolean => ranges.some((range) => contains(range, parseRange(address)));
  assert.ok(!isOutside('203.0.113.7') && !isOutside('2a01::7') && !isOutside('::1') && !isOutside('255.255.255.255'));
  for (const local of ['fd00::1', 'fe80::1', 'fec0::1', 'ff02::1', '100.64.0.1', '169.254.1.1'])
    assert.ok(!isOutside(local), local);
  assert.ok(isOutside('203.0.112.255') && isOutside('203.0.114.0') && isOutside('64:ff9b::808:808'));
});

test('users that may be anywhere do not leave the Internet empty', () => {
  const users = { id: 'users', title: 'Users', networks: ['0.0.0.0/0', '::/0'], hosts: [], pending: false };
  assert.ok(outside({ ...planned, places: { users } }).length > 2);
});

test('addresses that only people know are read from a file of their own', () => {
  assert.match(textOf(planned), /^# add element inet causeway \S+\.v4 \{/m);
  assert.match(textOf(planned), /\n\}\n\ninclude "causeway\/nftables\.d\/\*\.nft"\n$/);
});
