// Log of a program that runs for long: one JSON object per line for machines, one short line for a person at a terminal.

export type Level = 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;
export type Log = Readonly<Record<Level, (message: string, fields?: LogFields) => void>>;

export interface LogOptions {
  /** Fields of every line: which program, which worker. */
  readonly fields?: LogFields;
  /** @default lines for people when the stream is a terminal */
  readonly human?: boolean;
  readonly stream?: LogStream;
  readonly now?: () => Date;
}

interface LogStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export function createLog(options: LogOptions = {}): Log {
  const { stream = process.stderr, fields: always = {}, now = () => new Date() } = options;
  const line = (options.human ?? stream.isTTY === true) ? humanLine : jsonLine;
  const write =
    (level: Level) =>
    (message: string, fields: LogFields = {}): void => {
      stream.write(`${line(now(), level, message, { ...always, ...fields })}\n`);
    };
  return { info: write('info'), warn: write('warn'), error: write('error') };
}

/** Says nothing: for tests and for code that is used as a library. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * For programs that run on: output that nobody reads any more (a closed pipe) must not end them. Takes back what ends a
 * command that only prints.
 */
export function surviveClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error').on('error', () => {});
}

/** The line's own fields come first, and no other field can pose as them. */
function jsonLine(time: Date, level: Level, message: string, fields: LogFields): string {
  const own = { time: time.toISOString(), level, message };
  return JSON.stringify({ ...own, ...fields, ...own });
}

function humanLine(time: Date, level: Level, message: string, fields: LogFields): string {
  const shown = Object.entries(fields).filter(([, value]) => value !== undefined);
  const words = shown.map(([name, value]) => `${name}=${plain(String(value))}`);
  return [time.toTimeString().slice(0, 8), level.padEnd(5), printable(message), ...words].join(' ').trimEnd();
}

/** Untrusted text is shown too: nothing of it may move the cursor or imitate a line. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, escaped);
const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
const plain = (value: string): string => (/^[\w./:@[\]-]+$/.test(value) ? value : printable(JSON.stringify(value)));
