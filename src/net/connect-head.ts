// The heads of an HTTP/1.1 CONNECT: the request we write, and the answer we read from somebody we do not trust.
import { hostPort } from '../core/host-port.ts';

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

export interface ConnectRequest {
  readonly host: string;
  readonly port: number;
  readonly credentials?: Credentials;
}

/** RFC 9110 §9.3.6: authority form, and a Host that says the same. */
export function writeConnectRequest({ host, port, credentials }: ConnectRequest): Buffer {
  const authority = hostPort(host, port);
  refuseControls(authority);
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`, 'User-Agent: causeway-agent'];
  if (credentials !== undefined) lines.push(`Proxy-Authorization: Basic ${basic(credentials)}`);
  // Old proxies close a tunnel after the first answer unless they are told.
  lines.push('Proxy-Connection: keep-alive');
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

// RFC 7617: UTF-8 is what proxies that say anything about it ask for.
const basic = ({ user, password }: Credentials): string =>
  Buffer.from(`${user}:${password}`, 'utf8').toString('base64');

function refuseControls(authority: string): void {
  if (/[^\x21-\x7e]/.test(authority)) throw new RangeError('a host name for CONNECT has only visible ASCII characters');
}

export interface ConnectResponse {
  readonly status: number;
  /** As it came, control characters replaced: safe to show. */
  readonly statusLine: string;
  /** Names in lower case; a header that came twice has two values. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
}

export type HeadResult =
  | { readonly state: 'more' }
  | { readonly state: 'done'; readonly response: ConnectResponse; readonly rest: Buffer }
  | { readonly state: 'bad'; readonly why: HeadFault; readonly start: string };

export type HeadFault = 'not-http' | 'speaks-tls' | 'too-large' | 'too-many-lines' | 'malformed';

export const headLimits = { bytes: 16 * 1024, lines: 64 } as const;

const more: HeadResult = { state: 'more' };
const lineFeed = 0x0a;

/** Reads the head of an answer as it comes, in pieces of any size. Keeps no more than `headLimits.bytes`. */
export class ConnectResponseReader {
  #bytes: Buffer = Buffer.alloc(0);
  #scanned = 0;
  #lines: string[] = [];
  #lineStart = 0;
  #count = 0;

  push(chunk: Buffer): HeadResult {
    this.#bytes = this.#bytes.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#bytes, chunk]);
    const opening = faultOfOpening(this.#bytes);
    if (opening !== undefined) return this.#bad(opening);
    return this.#readLines();
  }

  #readLines(): HeadResult {
    for (;;) {
      const at = this.#bytes.indexOf(lineFeed, this.#scanned);
      const reached = at < 0 ? this.#bytes.length : at + 1;
      if (reached > headLimits.bytes) return this.#bad('too-large');
      this.#scanned = reached;
      if (at < 0) return more;
      const result = this.#takeLine(at);
      if (result !== undefined) return result;
    }
  }

  #takeLine(at: number): HeadResult | undefined {
    const line = this.#bytes.toString('latin1', this.#lineStart, at).replace(/\r$/, '');
    this.#lineStart = at + 1;
    if (++this.#count > headLimits.lines) return this.#bad('too-many-lines');
    if (line !== '') {
      this.#lines.push(line);
      return undefined;
    }
    return this.#finish();
  }

  #finish(): HeadResult | undefined {
    const response = responseOf(this.#lines);
    if (response === undefined) return this.#bad('malformed');
    // An interim answer: the one that counts comes after it.
    if (response.status < 200) {
      this.#lines = [];
      return undefined;
    }
    return { state: 'done', response, rest: this.#bytes.subarray(this.#lineStart) };
  }

  #bad(why: HeadFault): HeadResult {
    return { state: 'bad', why, start: showable(this.#bytes.toString('latin1', 0, 80)) };
  }
}

const protocol = 'HTTP/1.';

/** Known from the first bytes, so that nobody waits for the end of a line that never comes. */
function faultOfOpening(bytes: Buffer): HeadFault | undefined {
  if (bytes.length === 0) return undefined;
  // A TLS record: an alert or a handshake.
  if (bytes[0] === 0x15 || bytes[0] === 0x16) return 'speaks-tls';
  const opening = bytes.toString('latin1', 0, protocol.length);
  return protocol.startsWith(opening) ? undefined : 'not-http';
}

function responseOf([statusLine = '', ...lines]: readonly string[]): ConnectResponse | undefined {
  const status = /^HTTP\/1\.[01] +(\d{3})(?: |$)/.exec(statusLine)?.[1];
  const headers = headersOf(lines);
  if (status === undefined || Number(status) < 100 || headers === undefined) return undefined;
  return { status: Number(status), statusLine: showable(statusLine), headers };
}

function headersOf(lines: readonly string[]): Map<string, string[]> | undefined {
  const headers = new Map<string, string[]>();
  for (const line of unfolded(lines)) {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    const key = name.toLowerCase();
    headers.set(key, [...(headers.get(key) ?? []), showable(value.trim())]);
  }
  return headers;
}

/** A line that starts with a space goes on with the one before (RFC 9112 §5.2). */
function unfolded(lines: readonly string[]): string[] {
  const whole: string[] = [];
  for (const line of lines) {
    if (/^[ \t]/.test(line) && whole.length > 0) whole.push(`${whole.pop()} ${line.trim()}`);
    else whole.push(line);
  }
  return whole;
}

/** Untrusted text, safe to print on a terminal. */
export const showable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '·');
