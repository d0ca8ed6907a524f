import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowById } from '../../plan/catalogue/index.ts';
import type { Setting } from '../../plan/settings/index.ts';
import { effectiveText, selectSettings } from './effective-text.ts';
import { defaultsOf, explainField, inheritanceOf } from './field-text.ts';
import { codeText, rowText } from './row-text.ts';

test('a field comes with type, default and how it is inherited', () => {
  const text = explainField('Cluster', 'network.agentIP');
  assert.match(text, /^Cluster spec\.network\.agentIP\nAddress that the node agent serves/);
  assert.match(text, /^TYPE +IP address: /m);
  assert.match(text, /^REQUIRED +no$/m);
  assert.match(text, /^DEFAULT +100\.64\.30\.10$/m);
  assert.match(text, /^INHERITED +Platform → Seed → Datacenter → Cluster/m);
});

test('a block lists its fields with the choices there are', () => {
  const text = explainField('Cluster', '');
  assert.match(text, /^exposeStrategy +NodePort\|LoadBalancer\|Tunneling +no /m);
  assert.match(text, /^datacenter +name +yes /m);
  assert.match(explainField('AddressPool', ''), /set exactly one of seed, datacenter/);
});

test('a default that depends on something names every possibility, the usual one first', () => {
  assert.deepEqual(defaultsOf('workers.entry'), ['split', 'single']);
  assert.deepEqual(defaultsOf('network.pods'), ['172.25.0.0/16', '172.25.0.0/16, fd01::/48']);
  assert.deepEqual(defaultsOf('limits.allowedSourceRanges'), []);
});

test('the proxy is inherited as a whole, its exceptions add up', () => {
  assert.match(inheritanceOf('proxy.https') ?? '', /as a whole/);
  assert.match(inheritanceOf('proxy.noProxy') ?? '', /add up/);
  assert.equal(inheritanceOf('datacenter'), undefined);
});

test('a finding says why it matters, what to do, and whether it can be waived', () => {
  assert.match(codeText('CW-CIDR-OVERLAP'), /^SEVERITY +error$[\s\S]*^FIX +.+$[\s\S]*^WAIVABLE +yes/m);
  assert.match(codeText('CW-SECRET-LITERAL'), /^WAIVABLE +no$/m);
});

test('a requirement says how it is met, and what tells that it is not', () => {
  const row = rowById.get('NET-5');
  assert.ok(row !== undefined);
  assert.match(rowText(row), /^NET-5 [\s\S]*^MET BY +computed in the plan[\s\S]*^FINDINGS +.*CW-CIDR-OVERLAP/m);
});

const settings: [string, Setting][] = [
  [
    'exposeStrategy',
    {
      value: 'Tunneling',
      from: { level: 'Cluster', name: 'web', field: 'spec.exposeStrategy' },
      overrode: [{ value: 'NodePort', from: { level: 'Seed', name: 'west', field: 'spec.exposeStrategy' } }],
    },
  ],
  [
    'registry',
    {
      value: { host: 'r.example:443', credentials: { env: 'PULL' } },
      from: { level: 'Platform', name: 'p', field: 'spec.registry' },
    },
  ],
  ['network.pods', { value: ['172.25.0.0/16'], from: { level: 'default' } }],
];

test('an effective value says who set it and what it overrode', () => {
  const lines = effectiveText('Cluster/web', settings).trimEnd().split('\n').slice(3);
  assert.deepEqual(
    lines.map((line) => line.split(/ {3,}/)),
    [
      ['exposeStrategy', 'Tunneling', 'Cluster/web spec.exposeStrategy'],
      ['exposeStrategy', 'NodePort', 'overridden: Seed/west spec.exposeStrategy'],
      ['registry.host', 'r.example:443', 'Platform/p spec.registry'],
      ['registry.credentials', 'env PULL', 'Platform/p spec.registry'],
      ['network.pods', '172.25.0.0/16', 'default'],
    ],
  );
});

test('a field selects what is at, below and around it', () => {
  const keys = (field: string): string[] => selectSettings(settings, field).map(([key]) => key);
  assert.deepEqual(keys('spec.exposestrategy'), ['exposeStrategy']);
  assert.deepEqual(keys('network'), ['network.pods']);
  assert.deepEqual(keys('registry.host'), ['registry']);
  assert.deepEqual(keys('net'), []);
});
