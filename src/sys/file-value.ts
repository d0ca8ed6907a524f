// What a file says now. Looked at when it is used and at most once a second, because that also finds what a watch does
// not: secrets that are swapped by a symbolic link, files on network mounts, files that come back after they were away.
import { readFileSync, statSync } from 'node:fs';
import { CausewayError } from '../core/errors.ts';

/** The part of a log that is needed here. */
export interface FileLog {
  info(message: string): void;
  warn(message: string, fields: { readonly code: string; readonly fix: string }): void;
}

export interface FileValueOptions {
  readonly log: FileLog;
  /** Milliseconds. */
  readonly now?: () => number;
  /** Of the error for a file that is not there or cannot be used. */
  readonly code?: string;
}

const lookEveryMs = 1_000;

export class FileValue<T> {
  readonly file: string;
  readonly #parse: (text: string) => T;
  readonly #log: FileLog;
  readonly #now: () => number;
  readonly #code: string;
  #value: { readonly is: T } | undefined;
  #version = '';
  #complaint = '';
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(file: string, parse: (text: string) => T, options: FileValueOptions) {
    const { log, now = () => performance.now(), code = 'CW-AGENT-FILE' } = options;
    this.file = file;
    this.#code = code;
    this.#parse = parse;
    this.#log = log;
    this.#now = now;
  }

  /** Throws only while there has never been a good value; later the last good one stays, and the log says so. */
  get(): T {
    if (this.#now() - this.#lookedAt >= lookEveryMs) this.#look();
    if (this.#value === undefined) throw new Error(`${this.file} was never read`);
    return this.#value.is;
  }

  #look(): void {
    try {
      this.#readIfChanged();
      this.#complaint = '';
      this.#lookedAt = this.#now();
    } catch (error) {
      if (this.#value === undefined) throw explained(this.file, this.#code, error as Error);
      this.#lookedAt = this.#now();
      this.#complain(explained(this.file, this.#code, error as Error));
    }
  }

  #readIfChanged(): void {
    const { mtimeMs, size, ino } = statSync(this.file);
    const version = `${mtimeMs} ${size} ${ino}`;
    if (version === this.#version) return;
    const value = this.#parse(readFileSync(this.file, 'utf8'));
    if (this.#value !== undefined) this.#log.info(`read ${this.file} again, because it has changed`);
    this.#value = { is: value };
    this.#version = version;
  }

  #complain({ code, message, fix }: CausewayError): void {
    if (message === this.#complaint) return;
    this.#complaint = message;
    this.#log.warn(`${message}; the last good one stays in use`, { code, fix });
  }
}

function explained(file: string, code: string, error: NodeJS.ErrnoException): CausewayError {
  if (error instanceof CausewayError) return error;
  if (error.syscall === undefined)
    return new CausewayError(code, `${file} cannot be used: ${error.message}`, 'replace the file');
  const why = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`;
  return new CausewayError(code, `${file} ${why}`, 'check the path and who may read it');
}
