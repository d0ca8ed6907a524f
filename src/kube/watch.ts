// A watch: one JSON document in each line, for as long as the server keeps the stream open.
import type { Readable } from 'node:stream';
import { CausewayError, exitCodes } from '../core/errors.ts';
import { KubeError } from './errors.ts';

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: {
    readonly metadata: {
      readonly resourceVersion: string;
      readonly annotations?: Readonly<Record<string, string>>;
    };
  };
}

export interface WatchOptions {
  /** The server has agreed. */
  opened?(): void;
  event(event: WatchEvent): void;
  readonly signal: AbortSignal;
  /** Without a byte for so long, the connection counts as lost. @default two and a half minutes */
  readonly silenceMs?: number;
  /** Before the first byte. @default silenceMs */
  readonly firstByteMs?: number;
}

export const silentCode = 'CW-KUBE-SILENT';
/** The server sends a bookmark about every minute, also where nothing changes. */
const silenceMs = 150_000;
/** etcd takes no objects above 1.5 MB; what is far larger is no event. */
const longestLine = 64 * 1024 * 1024;

/** Resolves when the server ends the stream. Rejects when the stream breaks, is silent, or has an error as its last event. */
export async function readWatch(
  open: (signal: AbortSignal) => Promise<Readable>,
  { opened, event, signal, ...times }: WatchOptions,
): Promise<void> {
  const silence = new SilenceTimer(times);
  try {
    const stream = await open(AbortSignal.any([signal, silence.signal]));
    opened?.();
    const lines = new LineSplitter((line) => event(parseEvent(line)));
    for await (const chunk of stream) {
      silence.reset();
      lines.push(chunk as Buffer);
    }
    lines.end();
  } catch (error) {
    throw silence.signal.aborted ? silence.error() : error;
  } finally {
    silence.stop();
  }
}

/** ERROR events are refusals: the server has nothing to say after one. */
function parseEvent(line: Buffer): WatchEvent {
  const { type, object } = JSON.parse(line.toString()) as { type: string; object: StatusObject };
  if (type === 'ERROR') throw errorOf(object);
  return { type, object } as unknown as WatchEvent;
}

interface StatusObject {
  readonly code?: number;
  readonly message?: string;
  readonly details?: { readonly retryAfterSeconds?: number };
}

const errorOf = ({ code = 500, message = 'no reason given', details }: StatusObject): KubeError =>
  new KubeError(code, `watch: ${code}, ${message}`, (details?.retryAfterSeconds ?? 0) * 1000);

/** Whole lines, wherever the stream was cut into pieces; each byte is copied once, also for very long lines. */
class LineSplitter {
  readonly #line: (line: Buffer) => void;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(line: (line: Buffer) => void) {
    this.#line = line;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, end));
      from = end + 1;
      const line = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
      [this.#pieces, this.#length] = [[], 0];
      if (line !== undefined && line.length > 0) this.#line(line);
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
  }

  end(): void {
    if (this.#length > 0) throw new Error('the watch ended in the middle of an event');
  }

  #add(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > longestLine) throw new Error(`an event of more than ${longestLine} bytes`);
    this.#pieces.push(piece);
  }
}

class SilenceTimer {
  readonly #abort = new AbortController();
  readonly #limit: number;
  #timer: NodeJS.Timeout;
  #seen = false;

  constructor({ silenceMs: limit = silenceMs, firstByteMs = limit }: Pick<WatchOptions, 'silenceMs' | 'firstByteMs'>) {
    this.#limit = limit;
    this.#timer = setTimeout(() => this.#due(), firstByteMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  reset(): void {
    this.#seen = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#due(), this.#limit);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#seen = true;
  }

  error(): CausewayError {
    return new CausewayError(
      silentCode,
      'the API server has sent nothing on a watch, not even a bookmark',
      'it is watched again by itself; where this goes on, look at proxies and firewalls that drop idle connections',
      exitCodes.internal,
    );
  }

  /** Timers come before sockets: where this process was busy, bytes may wait to be read that came in time. */
  #due(): void {
    this.#seen = false;
    const look = (turns: number): void => {
      if (this.#seen) return;
      if (turns === 0) this.#abort.abort();
      else setImmediate(look, turns - 1);
    };
    look(3);
  }
}
