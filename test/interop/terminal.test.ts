// What a person sees on a real terminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../support/child-process.ts';
import { commandLine, scratch } from '../support/cli.ts';
import { needProgram } from '../support/programs.ts';

/** Runs its arguments on a terminal without a size, and passes on what they print. */
const onTerminal = `
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 0, 0, 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
while True:
    try:
        sys.stdout.buffer.write(os.read(terminal, 4096))
        sys.stdout.buffer.flush()
    except OSError:
        break
`;

test('a question fits on its line where the terminal does not know its width', async (t) => {
  const python = needProgram(t, 'python3');
  if (python === undefined) return;
  const args = ['-c', onTerminal, process.execPath, commandLine, 'init', scratch(t)];
  const asked = run(t, { program: python, args, env: { TERM: 'xterm', CI: '', NO_COLOR: '1' } });
  const question = 'Which is closest to what you have?';
  for (let left = 200; left > 0 && !asked.said().includes('navigate'); left--) await sleep(50);
  assert.ok(asked.said().includes(question), asked.said());
});
