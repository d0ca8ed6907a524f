import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AgentUnit, addressService, agentService, tokenService } from './join-units.ts';

const asked: AgentUnit = {
  ...{ cluster: 'web', command: ['/etc/causeway/causeway', 'agent'], listenPort: 6443 },
  ...{ cache: '/var/cache/causeway', environmentFile: '/etc/causeway/agent.env' },
};
const units = {
  agent: agentService(asked),
  address: addressService('/etc/causeway/keep-address.sh'),
  token: tokenService('/etc/causeway/renew-token.sh', '/etc/causeway/proxy.env'),
};

/** All that a unit has of a directive, in order. */
const valuesOf = (unit: string, directive: string): string[] =>
  [...unit.matchAll(new RegExp(`^${directive}=(.*)$`, 'gm'))].map(([, value = '']) => value);

test('no unit of a worker runs as root, or without a limit of memory and processes', () => {
  for (const [name, unit] of Object.entries(units)) {
    const user = [...valuesOf(unit, 'DynamicUser'), ...valuesOf(unit, 'User')];
    assert.ok(user.length === 1 && !['root', '0', 'no'].includes(user[0] ?? ''), `${name}: ${user}`);
    assert.match(valuesOf(unit, 'MemoryMax').join(), /^\d+M$/, name);
    assert.match(valuesOf(unit, 'TasksMax').join(), /^\d+$/, name);
  }
});

test('the right to change addresses belongs to the unit that talks to nobody, and is the only right of all', () => {
  const rights = Object.entries(units).map(([name, unit]) => [
    name,
    ...valuesOf(unit, 'CapabilityBoundingSet'),
    ...valuesOf(unit, 'AmbientCapabilities'),
  ]);
  assert.deepEqual(rights, [
    ['agent', '', ''],
    ['address', 'CAP_NET_ADMIN', 'CAP_NET_ADMIN'],
    ['token', '', ''],
  ]);
  assert.deepEqual(valuesOf(units.address, 'RestrictAddressFamilies'), ['AF_NETLINK']);
});

test('an agent gets the right to a port below 1024 only where it has one', () => {
  const right = (listenPort: number): string[] =>
    valuesOf(agentService({ ...asked, listenPort }), 'AmbientCapabilities');
  assert.deepEqual([right(443), right(1023), right(1024)], [['CAP_NET_BIND_SERVICE'], ['CAP_NET_BIND_SERVICE'], ['']]);
});

test('only the renewal is given the key of the kubelet, and all units have its files hidden', () => {
  const given = Object.entries(units).filter(([, unit]) => valuesOf(unit, 'LoadCredential').length > 0);
  assert.deepEqual(
    given.map(([name]) => name),
    ['token'],
  );
  for (const unit of Object.values(units))
    assert.deepEqual(valuesOf(unit, 'InaccessiblePaths'), ['-/etc/kubernetes -/var/lib/kubelet']);
});

test('only the renewal writes a place of this machine', () => {
  const written = (unit: string): string[] =>
    ['StateDirectory', 'CacheDirectory', 'LogsDirectory', 'ConfigurationDirectory', 'ReadWritePaths'].flatMap((one) =>
      valuesOf(unit, one),
    );
  assert.deepEqual(Object.values(units).map(written), [[], [], ['causeway']]);
  for (const unit of Object.values(units)) assert.deepEqual(valuesOf(unit, 'ProtectSystem'), ['strict']);
});
