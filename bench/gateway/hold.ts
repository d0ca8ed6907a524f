import { nextLine } from './load.ts';
import { names, type Setting, type Subject } from './subject.ts';

/** Does something while connections through a subject are held, and counts how many of them did not live through it. */
export async function whileHolding<Result>(
  { address }: Subject,
  { load }: Setting,
  connections: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; lost: number }> {
  const holder = load.start('hold', 'hold', { address, name: names.raw, connections });
  const alive = async (): Promise<number> => (JSON.parse(await nextLine(holder)) as { alive: number }).alive;
  try {
    await alive();
    const result = await work();
    holder.child.stdin?.write('\n');
    return { result, lost: connections - (await alive()) };
  } finally {
    await holder.end();
  }
}
