import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandsAs } from './command-text.ts';

const typed = (text: string): string => commandsAs(text, './causeway');

test('commands get the name they were started by, in quotes, code and plain text', () => {
  assert.equal(typed('"causeway status" shows it'), '"./causeway status" shows it');
  assert.equal(typed('`causeway up` runs'), '`./causeway up` runs');
  assert.equal(
    typed('next: causeway validate p && causeway plan p'),
    'next: ./causeway validate p && ./causeway plan p',
  );
  assert.equal(typed('H="$(causeway password-hash)"'), 'H="$(./causeway password-hash)"');
  assert.equal(typed('(causeway --help shows the commands)'), '(./causeway --help shows the commands)');
});

test('the name of the product, of files, units and packages stays', () => {
  for (const text of [
    'let the user that runs causeway own the directory',
    'start causeway as root (sudo)',
    'add element inet causeway users { 192.0.2.10 }',
    '/opt/causeway/causeway up',
    './causeway up',
    'systemctl status causeway-gateway',
    'edit causeway.lock.yaml',
    'the causeway updates itself',
    'Causeway up and down',
  ])
    assert.equal(typed(text), text);
});

test('a name with signs that replacing knows is taken as it is', () => {
  assert.equal(commandsAs('causeway up', '$&/causeway'), '$&/causeway up');
});
