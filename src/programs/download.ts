import { mkdir, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { megabytes } from '../core/amounts.ts';
import type { ProgramsConfig } from './config.ts';
import { SourceUnavailable } from './errors.ts';
import { httpGet, shownUrl } from './http-get.ts';

/** Breaks after which a download is given up, unless some bytes came in between. */
const attempts = 4;

/**
 * Downloads a file into `part`, going on where an earlier attempt ended, be it of this process or of one before.
 * Whether the bytes are right is for the checksum to say.
 */
export async function download(
  url: string,
  part: string,
  config: ProgramsConfig,
  onProgress: (detail: string) => void,
): Promise<void> {
  await mkdir(path.dirname(part), { recursive: true });
  let left = attempts;
  for (;;) {
    const before = await sizeOf(part);
    try {
      return await continueInto(part, before, url, config, onProgress);
    } catch (error) {
      if (!isBroken(error)) throw error;
      left = (await sizeOf(part)) > before ? attempts : left - 1;
      if (left === 0)
        throw new SourceUnavailable('offline', `${shownUrl(url)} broke off (${(error as Error).message})`);
      await sleep(config.timeouts.retry);
    }
  }
}

/** The connection's fault, not the server's answer nor the disk's. */
const isBroken = (error: unknown): boolean =>
  !(error instanceof SourceUnavailable) &&
  (error as NodeJS.ErrnoException).syscall !== 'write' &&
  (error as NodeJS.ErrnoException).code !== 'ENOSPC';

const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => undefined))?.size ?? 0;

async function continueInto(
  part: string,
  have: number,
  url: string,
  config: ProgramsConfig,
  onProgress: (detail: string) => void,
): Promise<void> {
  const answer = await httpGet(url, have > 0 ? { range: `bytes=${have}-` } : {}, config);
  // Nothing is left to send: an earlier process ended between the last byte and the checksum.
  if (answer.statusCode === 416) return void answer.resume();
  const continued = answer.statusCode === 206;
  const start = continued ? have : 0;
  const length = Number(answer.headers['content-length'] ?? Number.NaN);
  const whole = start + length;
  let done = start;
  const file = await open(part, continued ? 'a' : 'w');
  try {
    // Piece by piece and not by pipeline, which throws away what it holds when the connection breaks.
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      await file.writeFile(chunk);
      done += chunk.length;
      onProgress(Number.isNaN(whole) ? megabytes(done) : `${megabytes(done)} of ${megabytes(whole)}`);
    }
  } finally {
    await file.close();
  }
  if (done < whole) throw new Error('the connection ended early');
}
