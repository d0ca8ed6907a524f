import assert from 'node:assert/strict';
import test from 'node:test';
import type { Model } from '../../model/schema/index.ts';
import { schemas } from '../../model/schema/index.ts';
import { openDecisions } from './decisions.ts';

const resource = (kind: string, name: string, spec: object): object => ({
  apiVersion: 'causeway.dev/v1alpha1',
  kind,
  metadata: { name },
  spec,
});
const nodes = { networks: ['10.0.0.0/24'] };
const api = { host: 'api.example.com' };

function modelOf(platform: object = {}, seed: object = {}, datacenter: object = {}): Model {
  const address = { ips: ['10.0.0.9'] };
  const base = { domain: 'example.com', users: nodes, master: { nodes, api }, ingress: { address } };
  return {
    platform: schemas.Platform.parse(resource('Platform', 'p', { ...base, ...platform })),
    seeds: [schemas.Seed.parse(resource('Seed', 'west', { api, nodes, gateway: { address }, ...seed }))],
    datacenters: [
      schemas.Datacenter.parse(
        resource('Datacenter', 'dc', { seed: 'west', provider: { bare: {} }, nodes, ...datacenter }),
      ),
    ],
    clusters: [],
    pools: [],
  };
}
const fieldsOf = (model: Model): string[] => openDecisions(model).map((d) => `${d.resource} ${d.field}`);

test('asks platform, seed and datacenter for what nobody answered', () => {
  const fields = fieldsOf(modelOf());
  for (const expected of [
    'Platform/p spec.certificates',
    'Platform/p spec.authentication',
    'Platform/p spec.dns.servers',
    'Platform/p spec.configRepository.keyStore',
    'Seed/west spec.loadBalancer',
    'Seed/west spec.storage.fast',
    'Seed/west spec.backup',
    'Datacenter/dc spec.loadBalancer',
    'Datacenter/dc spec.nodes.dhcp',
  ]) {
    assert.ok(fields.includes(expected), expected);
  }
});

test('an answered question is not asked again', () => {
  const fields = fieldsOf(modelOf({ certificates: { selfSigned: {} } }, { loadBalancer: { type: 'cloud' } }));
  assert.ok(!fields.includes('Platform/p spec.certificates'));
  assert.ok(!fields.includes('Seed/west spec.loadBalancer'));
  assert.ok(fields.includes('Datacenter/dc spec.loadBalancer'));
});

test('asks for L2 or BGP only where something of ours announces addresses', () => {
  const mode = 'Seed/west spec.loadBalancer.mode';
  const withType = (loadBalancer: object): string[] => fieldsOf(modelOf({}, { loadBalancer }));
  assert.ok(withType({ type: 'metallb' }).includes(mode));
  assert.ok(withType({ type: 'kubelb', announcer: 'cilium' }).includes(mode));
  assert.ok(!withType({ type: 'metallb', mode: 'L2' }).includes(mode));
  assert.ok(!withType({ type: 'cloud' }).includes(mode));
});

test('a strategy on every seed makes one on the platform unnecessary', () => {
  const field = 'Platform/p spec.exposeStrategy';
  assert.ok(fieldsOf(modelOf()).includes(field));
  assert.ok(!fieldsOf(modelOf({}, { exposeStrategy: 'Tunneling' })).includes(field));
});

test('a recorded decision closes its row everywhere', () => {
  const decisions = [{ row: 'LB-3', choice: 'hardware balancer', owner: 'network team', reason: 'exists already' }];
  const rows = openDecisions(modelOf({ decisions })).map((d) => d.row);
  assert.ok(!rows.includes('LB-3'));
  assert.ok(rows.includes('CRT-8'));
});
