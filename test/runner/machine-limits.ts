// What tests take of this machine. A run raises what it may, and a failure is told together with what had run short.
import { readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { inotifyInstances, inotifyLimit, inotifySetting } from '../../src/sys/inotify.ts';

export interface Reading {
  /** As people call it. */
  readonly what: string;
  readonly used: number;
  readonly limit: number;
  /** Fewer free than this make tests fail. */
  readonly spare: number;
  readonly raise: string;
}

/** Two platforms of four clusters, a kubelet and the programs of whoever runs the tests. */
const enoughInotify = 1024;

/** As root: enough inotify instances until this process ends. What it returns puts the old limit back. */
export function raiseLimits(say: (sentence: string) => void): () => void {
  const before = inotifyLimit();
  if (before === undefined || before >= enoughInotify || process.getuid?.() !== 0) return () => {};
  try {
    setInotify(enoughInotify);
  } catch (error) {
    say(
      `${inotifySetting} is ${before} and cannot be raised (${(error as Error).message}); some tests may lack instances.`,
    );
    return () => {};
  }
  say(`${inotifySetting} was ${before} and is ${enoughInotify} while tests run.`);
  const restore = (): void => {
    // Somebody who set another value meanwhile meant it.
    if (inotifyLimit() === enoughInotify) setInotify(before);
    process.off('exit', restore);
  };
  process.once('exit', restore);
  return restore;
}

const setInotify = (limit: number): void =>
  writeFileSync(`/proc/sys/${inotifySetting.replaceAll('.', '/')}`, `${limit}`);

/** One sentence for each resource that is used up or nearly so. */
export const shortages = (readings: readonly Reading[]): string[] =>
  readings
    .filter(({ used, limit, spare }) => limit - used < spare)
    .map(({ what, used, limit, raise }) => `this machine is short of ${what}: ${used} of ${limit} in use. ${raise}`);

/** What the kernel tells; nothing where it does not. */
export function readMachine(): Reading[] {
  const readings = [inotify, descriptors, ports, memory, disk].map((read) => {
    try {
      return read();
    } catch {
      return undefined;
    }
  });
  return readings.filter((reading) => reading !== undefined);
}

const numbersIn = (file: string, pattern = /\d+/g): number[] =>
  [...readFileSync(file, 'utf8').matchAll(pattern)].map((match) => Number(match[1] ?? match[0]));

function inotify(): Reading | undefined {
  const instances = inotifyInstances();
  const raise = `Raise it: sysctl -w ${inotifySetting}=${enoughInotify}`;
  return instances && { what: 'inotify instances', ...instances, spare: 16, raise };
}

function descriptors(): Reading {
  const [used = 0, , limit = 0] = numbersIn('/proc/sys/fs/file-nr');
  return { what: 'file descriptors', used, limit, spare: 5000, raise: `Raise it: sysctl -w fs.file-max=${2 * limit}` };
}

/** All TCP sockets stand for those with a port of the range: it is the most that there can be. */
function ports(): Reading {
  const [low = 0, high = 0] = numbersIn('/proc/sys/net/ipv4/ip_local_port_range');
  const [used = 0] = numbersIn('/proc/net/sockstat', /TCP: inuse (\d+)/g);
  const [waiting = 0] = numbersIn('/proc/net/sockstat', / tw (\d+)/g);
  const raise = 'Raise it: sysctl -w net.ipv4.ip_local_port_range="10000 65000"';
  const limit = high - low + 1;
  return { what: 'local ports', used: Math.min(used + waiting, limit), limit, spare: 4000, raise };
}

const mebibyte = 2 ** 20;

function memory(): Reading {
  const [limit = 0] = numbersIn('/proc/meminfo', /MemTotal: +(\d+) kB/g);
  const [available = 0] = numbersIn('/proc/meminfo', /MemAvailable: +(\d+) kB/g);
  const inMebibytes = (kilobytes: number): number => Math.round(kilobytes / 1024);
  const raise = 'End other programs; the whole suite takes about 6 GiB.';
  return { what: 'memory (MiB)', used: inMebibytes(limit - available), limit: inMebibytes(limit), spare: 1024, raise };
}

function disk(): Reading {
  const { blocks, bavail, bsize } = statfsSync(tmpdir());
  const inMebibytes = (count: number): number => Math.round((count * bsize) / mebibyte);
  const limit = inMebibytes(blocks);
  const raise = `Make room below ${tmpdir()}, or set TMPDIR.`;
  return { what: 'disk space (MiB)', used: limit - inMebibytes(bavail), limit, spare: 2048, raise };
}
