// A field of Workload that one runtime reads and the other does not is a promise that only one of them keeps: each is in
// a table of docs/decisions/0038, with the reason.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Container, controlPlaneWorkloads, type Workload } from '../../control-plane/index.ts';
import { workloadInput } from '../../control-plane/testing/input.ts';
import { localCluster } from '../local/index.ts';
import { homeIn, localInput } from '../local/testing/place.ts';
import { renderObjects } from './objects.ts';
import { single } from './testing/control-planes.ts';
import { fieldsRead } from './testing/field-recorder.ts';

const input = localInput(homeIn('/home'));

/** Every field that there is: those that a control plane has no use for, too. */
const everyField = (workload: Workload): Workload => ({
  ...workload,
  containers: workload.containers.map(
    (container): Container => ({
      ...container,
      env: { NAME: { join: ['value of ', { ref: 'replica' }] } },
      after: [],
      needs: [],
      restartOn: { mark: '01' },
      startMs: 1000,
      stopMs: 1000,
      mounts: [...container.mounts, { kind: 'config', name: 'text', content: { text: 'text' }, reloads: false }],
    }),
  ),
});
const workloads = controlPlaneWorkloads(workloadInput(input)).map(everyField);

const all = fieldsRead(workloads, (value) => value);
const local = fieldsRead(workloads, (value) => localCluster(input).resolve(value));
const kubernetes = fieldsRead(workloads, (value) => renderObjects({ ...single(), workloads: value }));

const page = readFileSync(
  new URL('../../../docs/decisions/0038-workloads-as-kubernetes-objects.md', import.meta.url),
  'utf8',
);
const documented = [...page.matchAll(/^\| `(\w+\.\w+)` \| (local|kubernetes) \| \S/gm)].map(([, field, by]) => [
  field,
  by,
]);

const readBy = (field: string): string =>
  local.has(field) ? 'local' : kubernetes.has(field) ? 'kubernetes' : 'nobody';

test('a field of Workload is read by both runtimes, or is on the list of those that one has no use for', () => {
  const byOne = [...all].filter((field) => !local.has(field) || !kubernetes.has(field));
  assert.deepEqual(byOne.map((field) => [field, readBy(field)]).sort(), documented.sort());
});

test('the recorder sees what is read, and nothing else', () => {
  for (const field of ['Workload.name', 'Container.args', 'Ref.port', 'Mount.reloads', 'Probe.path', 'Text.join'])
    assert.ok(all.has(field) && local.has(field) && kubernetes.has(field), field);
  const some = fieldsRead(workloads, ([first]) => [first?.replicas, first?.containers[0]?.ports[0]?.name]);
  assert.deepEqual([...some], ['Workload.replicas', 'Workload.containers', 'Container.ports', 'Port.name']);
});
