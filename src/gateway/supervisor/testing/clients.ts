// Clients that come at a steady rate, and count what happened to each of them.
import { setTimeout } from 'node:timers/promises';
import { connectBySni } from './backend.ts';

export interface Outcome {
  good: number;
  readonly bad: string[];
}

export interface Clients {
  stop(): Promise<Outcome>;
}

/** Each opens a connection to the backend of this name, gets its answer, and leaves. None waits for another. */
export function steadyClients(port: number, name: string, perSecond: number): Clients {
  const outcome: Outcome = { good: 0, bad: [] };
  const running = new Set<Promise<void>>();
  const begun = performance.now();
  let count = 0;
  let stopped = false;
  const one = async (): Promise<void> => {
    try {
      const { socket, greeting } = await connectBySni(port, `${name}.example`);
      socket.on('error', () => {}).destroy();
      if (greeting === name) outcome.good += 1;
      else outcome.bad.push(`answered with ${Buffer.from(greeting, 'latin1').toString('hex')}`);
    } catch (error) {
      outcome.bad.push((error as Error).message);
    }
  };
  const loop = (async () => {
    while (!stopped) {
      for (const due = ((performance.now() - begun) / 1000) * perSecond; count < due; count += 1) {
        const client = one().finally(() => running.delete(client));
        running.add(client);
      }
      await setTimeout(2);
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await loop;
      await Promise.all(running);
      return outcome;
    },
  };
}
