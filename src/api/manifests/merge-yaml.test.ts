import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { mergeYaml, newYaml } from './merge-yaml.ts';

const cluster = `---
# Who asked for it: shop team.
apiVersion: causeway.dev/v1alpha1
kind: Cluster
metadata:
    name:   shop   # four spaces, and room for a comment
spec:
    datacenter: "local"
    kubernetesVersion: 1.36.1 # waits for the freeze

    nodes: {count: 2}
    loadBalancerIPs:
    - 10.0.0.1 # the first
    # kept for later
    - 10.0.0.2
`;

interface Draft {
  spec: Record<string, unknown> & { nodes?: Record<string, unknown> };
}

const changed = (change: (value: Draft) => void): string => {
  const value = parse(cluster);
  change(value);
  const text = mergeYaml(cluster, value);
  assert.deepEqual(parse(text), value);
  return text;
};

/** Lines that only one of the two has. */
const difference = (text: string): { gone: string[]; come: string[] } => {
  const [before, after] = [cluster.split('\n'), text.split('\n')];
  return {
    gone: before.filter((line) => !after.includes(line)),
    come: after.filter((line) => !before.includes(line)),
  };
};

test('nothing changes where the value is the same', () => {
  assert.equal(mergeYaml(cluster, parse(cluster)), cluster);
});

test('one value changes one line, and its comment stays', () => {
  const text = changed((value) => {
    value.spec.kubernetesVersion = '1.36.3';
  });
  assert.deepEqual(difference(text), {
    gone: ['    kubernetesVersion: 1.36.1 # waits for the freeze'],
    come: ['    kubernetesVersion: 1.36.3 # waits for the freeze'],
  });
});

test('a new field comes after the others, a removed one goes alone', () => {
  const added = changed((value) => {
    value.spec.tenant = 'a';
  });
  assert.deepEqual(difference(added), { gone: [], come: ['    tenant: a'] });
  const removed = changed((value) => {
    delete value.spec.nodes;
  });
  assert.deepEqual(difference(removed), { gone: ['    nodes: {count: 2}'], come: [] });
});

test('an entry of a list goes without the comments of the others', () => {
  const text = changed((value) => {
    value.spec.loadBalancerIPs = ['10.0.0.2', '10.0.0.3'];
  });
  assert.match(text, /# kept for later\n\s*- 10\.0\.0\.2/);
  assert.doesNotMatch(text, /the first/);
});

test('a text that looks like a number is quoted', () => {
  const text = changed((value) => {
    value.spec.nodes = { count: '2' };
  });
  assert.match(text, /count: "2"/);
});

test('what is not YAML is written anew', () => {
  assert.equal(mergeYaml('kind: [\n', { kind: 'Cluster' }), 'kind: Cluster\n');
  assert.equal(newYaml({ spec: { ips: ['10.0.0.1'], bare: {} } }), 'spec:\n  ips: [ 10.0.0.1 ]\n  bare: {}\n');
});

test('whatever changes into whatever, the text says the new value', () => {
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean());
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
    object: fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), tie('value'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  }));
  const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'spec'), value, { maxKeys: 4, noNullPrototype: true });
  fc.assert(
    fc.property(object, object, (before, after) => {
      assert.deepEqual(parse(mergeYaml(newYaml(before), after)), after);
    }),
    { numRuns: 300 },
  );
});
