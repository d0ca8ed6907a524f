// Tries native handles out before anything depends on them: Node may change them in any release.
import { localDial } from './dial.ts';
import { listen } from './listen.ts';
import { giveUpNative, hasNative } from './native.ts';
import type { Sink, Wire } from './wire.ts';

const timeoutMs = 2000;

/** Whether native handles are in use from now on. Where they do not work, everything runs on documented sockets. */
export async function chooseWire(): Promise<boolean> {
  if (!hasNative()) return false;
  if (await echoes().catch(() => false)) return true;
  giveUpNative();
  return false;
}

/** One connection to ourselves: bytes, end and close must arrive on both sides. */
async function echoes(): Promise<boolean> {
  const sides: Wire[] = [];
  const listener = await listen('127.0.0.1', 0, (wire) => {
    sides.push(wire);
    wire.read(echoing(wire));
  });
  const answer = await new Promise<string>((resolve) => {
    setTimeout(resolve, timeoutMs, '').unref();
    localDial('127.0.0.1', listener.local.port, timeoutMs, (_, wire) => {
      if (wire === undefined) return resolve('');
      sides.push(wire);
      ask(wire, resolve);
    });
  });
  listener.close();
  for (const wire of sides) wire.destroy();
  return answer === question;
}

const question = 'are you there?';

function ask(wire: Wire, resolve: (answer: string) => void): void {
  let answer = '';
  wire.read({
    data: (chunk) => {
      answer += chunk.toString();
      return false;
    },
    end: () => {},
    drained: () => {},
    closed: () => resolve(answer),
  });
  wire.write(Buffer.from(question), 0);
  wire.end();
}

const echoing = (wire: Wire): Sink => ({
  data: (chunk, room) => !wire.write(chunk, room),
  end: () => wire.end(),
  drained: () => wire.release(),
  closed: () => {},
});
