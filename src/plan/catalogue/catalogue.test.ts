// Every requirement that there is has a row here, knows where its inputs come from, and keeps its promise somewhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { planningCodes } from '../../model/index.ts';
import { type Kind, schemas } from '../../model/schema/index.ts';
import { tables } from '../egress/tables/index.ts';
import { planSchema } from '../schema/index.ts';
import { catalogue, groups, type Row, rowById } from './index.ts';

const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}-${i + 1}`);

/** All 197 requirements, section by section. A new one is added here first. */
const ids: readonly string[] = [
  ...[numbered('DOC', 2), numbered('INF', 9)],
  ...[numbered('INS', 3), numbered('CFG', 3), numbered('ACC', 6), numbered('TOL', 3)],
  ...[numbered('LB', 8), numbered('L2', 3), numbered('BGP', 3)],
  ...[numbered('NET', 5), numbered('PRT', 19)],
  ...[numbered('XPS', 5), numbered('WRK', 1), numbered('API', 4), numbered('KON', 5)],
  ...[numbered('DNS', 15), numbered('CRT', 12), numbered('AUT', 5)],
  ...[numbered('PRX', 3), numbered('EGR', 14), numbered('OFF', 4)],
  ...[numbered('SED', 2), numbered('STO', 9), numbered('ETC', 7), numbered('MLA', 5)],
  ...[numbered('INT', 10), numbered('AZ', 7), numbered('VS', 10), numbered('OS', 10), numbered('AWS', 5)],
].flat();

test('has exactly the requirements that are known', () => {
  assert.equal(ids.length, 197);
  assert.deepEqual(catalogue.map((row) => row.id).sort(), ids.toSorted());
  assert.equal(rowById.size, catalogue.length);
});

test('has as many rows of each kind and severity as the sections count', () => {
  const count = (test: (row: (typeof catalogue)[number]) => boolean): number => catalogue.filter(test).length;
  const kinds = (['live', 'plan', 'provider', 'document'] as const).map((kind) => count((r) => r.kinds.includes(kind)));
  const severities = (['block', 'warn', 'info'] as const).map((severity) => count((r) => r.severity === severity));
  assert.deepEqual(kinds, [162, 108, 29, 9]);
  assert.deepEqual(severities, [135, 44, 18]);
});

test('the id of a row is the letters of its group and a number', () => {
  const misnamed = catalogue.filter(({ id, group }) => !new RegExp(`^${group.letters}-[1-9]\\d*$`).test(id));
  assert.deepEqual(
    misnamed.map(({ id }) => id),
    [],
  );
  assert.deepEqual([...new Set(catalogue.map(({ group }) => group))], Object.values(groups));
});

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
}
const trees = new Map(Object.entries(schemas).map(([kind, schema]) => [kind, z.toJSONSchema(schema) as Node]));

/** Arrays are walked through, so that a path names fields only. */
const through = (node: Node | undefined): Node | undefined => (node?.items === undefined ? node : through(node.items));

function hasField(path: string): boolean {
  const [kind = '', ...steps] = path.split('.');
  let node = trees.get(kind);
  for (const step of steps) node = through(node)?.properties?.[step];
  return node !== undefined;
}

test('the walk through the schemas finds fields, and misses what does not exist', () => {
  assert.ok(hasField('Platform.spec.domain'));
  assert.ok(hasField('Seed.spec.loadBalancer.bgp.peers.asn'));
  assert.equal(hasField('Platform.spec.nonsense'), false);
  assert.equal(hasField('Nonsense.spec'), false);
});

const fieldsOf = ({ inputs }: Row): string[] => inputs.filter((input) => typeof input === 'string');

/** Rows that ask for nothing. */
const asksNothing = ['TOL-2', 'PRT-16', 'KON-4', 'MLA-5', 'INT-2'];

for (const row of catalogue) {
  test(`${row.id} knows where its inputs come from`, () => {
    const unknown = fieldsOf(row).filter((input) => !hasField(input));
    assert.deepEqual(unknown, []);
    assert.equal(row.inputs.length === 0, asksNothing.includes(row.id));
  });
}

const planKeys = Object.keys(planSchema.shape);

for (const row of catalogue.filter(({ kinds }) => kinds.includes('plan'))) {
  test(`${row.id} is kept by a finding, a part of the plan, or an artefact`, () => {
    const { finding = [], plan = [], artefact = [] } = row.promise ?? {};
    assert.ok(finding.length + plan.length + artefact.length > 0, 'no promise');
    assert.deepEqual(
      plan.filter((key) => !planKeys.includes(key)),
      [],
    );
    assert.deepEqual(
      finding.filter((code) => planningCodes[code] === undefined),
      [],
    );
  });
}

test('a finding that keeps a row names that row itself', () => {
  const unknown = catalogue.flatMap((row) =>
    (row.promise?.finding ?? [])
      .filter((code) => !(planningCodes[code].rows as readonly string[]).includes(row.id))
      .map((code) => `${code} does not name ${row.id}`),
  );
  assert.deepEqual(unknown, []);
});

test('findings and the allow-list name rows that exist', () => {
  const named = [
    ...Object.values(planningCodes).flatMap((code) => code.rows),
    ...tables.online.all.map((download) => download.requirement),
    ...tables.offline.all.map((download) => download.requirement),
  ];
  assert.deepEqual(
    named.filter((id) => !rowById.has(id)),
    [],
  );
});

test('every row that has to be checked on site says from where', () => {
  const silent = catalogue.filter((row) => row.kinds.includes('live') && (row.vantages ?? []).length === 0);
  assert.deepEqual(
    silent.map((row) => row.id),
    [],
  );
});

test('kinds of the model that rows ask about exist', () => {
  const kinds = new Set(catalogue.flatMap(fieldsOf).map((i) => i.split('.')[0]));
  assert.deepEqual(
    [...kinds].filter((kind) => schemas[kind as Kind] === undefined),
    [],
  );
});
