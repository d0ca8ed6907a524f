import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlGroupRoots } from './control-groups.ts';

const versionOne = `tmpfs /sys/fs/cgroup tmpfs rw 0 0
cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0
cgroup /sys/fs/cgroup/pids cgroup rw,pids 0 0
cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0
`;

test('every controller of version 1 has a hierarchy, and the empty one of version 2 beside them is left alone', () => {
  assert.deepEqual(controlGroupRoots(versionOne), ['/sys/fs/cgroup/memory', '/sys/fs/cgroup/pids']);
});

test('version 2 has one for all', () => {
  assert.deepEqual(controlGroupRoots('cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n'), ['/sys/fs/cgroup']);
});

test('a machine without any has none', () => {
  assert.deepEqual(controlGroupRoots('/dev/vda / ext4 rw 0 0\n'), []);
});
