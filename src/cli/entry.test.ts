import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { separateArguments } from './entry.ts';
import { describeCommands } from './program.ts';

const separated = (line: string): string =>
  separateArguments(describeCommands(new Command()), line.split(' ')).join(' ');

test('all that follows the cluster belongs to kubectl', () => {
  assert.equal(separated('kubectl shop get pods -n web'), 'kubectl shop -- get pods -n web');
  assert.equal(separated('kubectl shop --help'), 'kubectl shop -- --help');
  assert.equal(separated('kubectl shop exec web -- ls -l'), 'kubectl shop -- exec web -- ls -l');
  assert.equal(separated('kubectl shop'), 'kubectl shop --');
});

test('what stands before the cluster is ours', () => {
  assert.equal(separated('--no-color kubectl --dir p shop --dir q'), '--no-color kubectl --dir p shop -- --dir q');
  assert.equal(
    separated('kubectl --dir=p --role viewer shop version'),
    'kubectl --dir=p --role viewer shop -- version',
  );
  assert.equal(separated('kubectl --help'), 'kubectl --help');
});

test('other commands stay as they are', () => {
  assert.equal(separated('logs kubectl --lines 5'), 'logs kubectl --lines 5');
  assert.equal(separated('--help'), '--help');
});
