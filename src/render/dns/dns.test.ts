import assert from 'node:assert/strict';
import test from 'node:test';
import { parse } from 'yaml';
import type { Model, Platform } from '../../model/schema/index.ts';
import { installationOf } from '../../plan/installation/index.ts';
import type { DnsRecord, Plan } from '../../plan/schema/index.ts';
import { sampleModel } from '../testing/sample-model.ts';
import { samplePlan } from '../testing/sample-plan.ts';
import { dnsEndpoint } from './dns-endpoint.ts';
import { zone } from './zone.ts';

const withRecord = (record: Partial<DnsRecord>): Plan => ({
  ...samplePlan,
  dns: { ...samplePlan.dns, records: [{ ...(samplePlan.dns.records[0] as DnsRecord), ...record }] },
});
const withServers = (authoritative: string[]): Model => ({
  ...sampleModel,
  platform: { ...sampleModel.platform, spec: { ...sampleModel.platform.spec, dns: { authoritative } } } as Platform,
});
const zoneOf = (plan: Plan, model: Model = sampleModel): string =>
  zone.files({ ...plan, installation: installationOf(model) })[0]?.text ?? '';
const endpointOf = (plan: Plan): string => dnsEndpoint.files(plan)[0]?.text ?? '';
const recordsIn = (text: string): string[] =>
  text.split('\n').filter((line) => /^\S+ +\d+ +IN (A|AAAA|CNAME)/.test(line));

test('a name whose target is not known yet is a comment', () => {
  const text = zoneOf(withRecord({ name: '*.east.kubermatic.example.com', phase: 'name', addresses: [] }));
  assert.deepEqual(recordsIn(text), []);
  assert.match(text, /^; \*\.east .*not known yet/m);
});

test('a CNAME at the top of the zone is left out and explained', () => {
  const text = zoneOf(withRecord({ addresses: [], hostname: 'lb.example.net' }));
  assert.deepEqual(recordsIn(text), []);
  assert.match(text, /RFC 1034/);
});

test('a record outside of the zone is left out and explained', () => {
  assert.match(zoneOf(withRecord({ name: 'www.example.org' })), /left out: www\.example\.org lies outside/);
});

test('text cannot smuggle a record into the zone', () => {
  const reason = 'fine\nevil IN A 10.0.0.1';
  const text = zoneOf(withRecord({ reason, place: 'x\nevil IN A 10.0.0.2', name: 'a b\nc.kubermatic.example.com' }));
  assert.deepEqual(recordsIn(text), []);
  assert.doesNotMatch(text, /^evil/m);
});

test('servers of the zone are named; one inside the zone without an address is only mentioned', () => {
  const inside = 'ns.kubermatic.example.com';
  assert.match(zoneOf(samplePlan, withServers(['ns1.example.net'])), /IN NS +ns1\.example\.net\.$/m);
  assert.match(zoneOf(samplePlan, withServers([inside])), /IN NS +localhost\.$/m);
  assert.match(
    zoneOf(samplePlan, withServers([inside])),
    /; Name server ns\.kubermatic\.example\.com lies in the zone/,
  );
  assert.match(zoneOf(samplePlan, withServers(['10.0.0.53'])), /; SOA and NS are placeholders: .* not known by name/);
  assert.doesNotMatch(zoneOf(samplePlan, withServers([inside])), /not known by name/);
});

test('the zone says that addresses are proposed, until all are locked', () => {
  assert.match(zoneOf(samplePlan), /^; 1 allocation of addresses .* proposed/m);
  assert.doesNotMatch(zoneOf({ ...samplePlan, addresses: { pools: [], nodePorts: [] } }), /proposed/);
});

test('external-dns gets only records that are ready', () => {
  const { spec } = parse(endpointOf(samplePlan)) as { spec: { endpoints: { dnsName: string; recordType: string }[] } };
  const names = spec.endpoints.map((e) => `${e.recordType} ${e.dnsName}`);
  assert.ok(names.includes('AAAA *.west.kubermatic.example.com'));
  assert.ok(names.includes('CNAME grafana.west.kubermatic.example.com'));
  assert.ok(!names.some((name) => name.includes('east')));
  assert.match(endpointOf(samplePlan), /not known yet: \*\.east\.kubermatic\.example\.com/);
});

test('external-dns is told to make an alias of a CNAME at the top of the zone', () => {
  const text = endpointOf(withRecord({ addresses: [], hostname: 'lb.example.net' }));
  assert.match(text, /name: alias/);
});

test('without a ready record there is no object', () => {
  assert.equal(parse(endpointOf(withRecord({ phase: 'name', addresses: [] }))), null);
});
