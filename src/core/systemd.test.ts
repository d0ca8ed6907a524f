import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { environmentAssignment, environmentFile, execLine, systemdUnit } from './systemd.ts';
import { hostileTexts, hostileValue } from './testing/hostile-text.ts';

/** One word as systemd reads it (systemd.syntax): C escapes within double quotes, then specifiers. */
function readWord(text: string): string {
  const inner = /^"(.*)"$/s.exec(text)?.[1];
  const unquoted =
    inner === undefined ? text : inner.replaceAll(/\\(x..|.)/gs, (_, sequence: string) => unescaped(sequence));
  assert.ok(inner !== undefined || !/[\s"'\\;]/.test(text), `${text} needs quotes`);
  return unquoted.replaceAll(/%(.?)/gs, (_, specifier: string) => {
    assert.equal(specifier, '%', `%${specifier} is a specifier`);
    return '%';
  });
}

function unescaped(sequence: string): string {
  if (sequence.startsWith('x')) return String.fromCharCode(Number.parseInt(sequence.slice(1), 16));
  assert.match(sequence, /["\\]/, `\\${sequence} is no escape that was meant`);
  return sequence;
}

test('a variable of Environment= is read back as it was given, on one line', () => {
  fc.assert(
    fc.property(hostileValue, (value) => {
      const line = environmentAssignment('NAME', value);
      assert.doesNotMatch(line, /[\n\r]/);
      assert.equal(readWord(line), `NAME=${value}`);
    }),
  );
});

test('an argument of ExecStart= is read back as it was given', () => {
  fc.assert(
    fc.property(hostileValue, (value) => {
      const [program, word = ''] = /^(\S+) (.*)$/s.exec(execLine(['/bin/true', value]))?.slice(1) ?? [];
      assert.equal(program, '/bin/true');
      const dollars = readWord(word).match(/\$+/g) ?? [];
      assert.ok(
        dollars.every(({ length }) => length % 2 === 0),
        'a single $ is a variable',
      );
      assert.equal(readWord(word).replaceAll('$$', '$'), value);
    }),
  );
});

test('words that need no quotes have none', () => {
  const line = execLine(['/opt/causeway', 'agent', '--gateway', '[2001:db8::1]:443', '--ca', '/etc/ca.crt', '']);
  assert.equal(line, '/opt/causeway agent --gateway "[2001:db8::1]:443" --ca /etc/ca.crt ""');
});

/** An environment file as systemd reads it (systemd.exec): a value in double quotes, where a backslash protects four characters. */
const readFile = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^(\w+)="((?:[^"\\]|\\["\\$`])*)"\n/gm)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/\\(.)/g, '$1'),
    ]),
  );

test('a variable of an environment file is read back as it was given', () => {
  fc.assert(
    fc.property(hostileValue, hostileValue, (first, second) => {
      assert.deepEqual(readFile(environmentFile({ FIRST: first, SECOND: second })), { FIRST: first, SECOND: second });
    }),
  );
});

test('a shell reads an environment file as systemd does', () => {
  const variables = Object.fromEntries(hostileTexts().map((value, at) => [`V${at}`, value]));
  const script = `${environmentFile(variables)}\nprintf '%s\\0' ${Object.keys(variables)
    .map((name) => `"$${name}"`)
    .join(' ')}`;
  const { status, stdout, stderr } = spawnSync('sh', { input: script, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.deepEqual(stdout.split('\0').slice(0, -1), Object.values(variables));
});

test('what systemd would leave out without a word is refused', () => {
  for (const text of ['a\0b', '\ud800', '\ufffe']) {
    assert.throws(() => environmentFile({ NAME: text }), TypeError);
    assert.throws(() => environmentAssignment('NAME', text), TypeError);
    assert.throws(() => execLine(['/bin/true', text]), TypeError);
  }
  for (const name of ['', '1A', 'A-B', 'A B', 'A\n']) assert.throws(() => environmentFile({ [name]: '' }), TypeError);
  for (const program of ['true', './true', '/a b', '/$A', '-/bin/true'])
    assert.throws(() => execLine([program]), TypeError);
});

test('a unit has its sections in order, and a line for each value', () => {
  const unit = systemdUnit({
    Unit: { Description: 'one', After: ['a.target', 'b.target'] },
    Install: { WantedBy: 'c.target' },
  });
  assert.equal(unit, '[Unit]\nDescription=one\nAfter=a.target\nAfter=b.target\n\n[Install]\nWantedBy=c.target\n');
});

test('a value cannot bring a directive of its own', () => {
  for (const value of ['a\nExecStart=/bin/evil', 'a\r', 'a\\'])
    assert.throws(() => systemdUnit({ Unit: { Description: value } }), /more than one line/);
});
