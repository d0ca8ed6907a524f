// Reads the first message of a TLS client (RFC 8446 §4.1.2) out of what has come so far, however it is cut into records
// and segments. Bytes are only looked at; whoever asks passes them on as they are.
import { isIp } from './ip-words.ts';

export interface GoodHello {
  readonly state: 'done';
  /** In lower case, without a dot at its end. */
  readonly serverName: string | undefined;
  /** The server name is an IP address, which RFC 6066 forbids. */
  readonly isAddress: boolean;
  readonly alpn: readonly string[];
  /** Encrypted ClientHello: the name that can be read is the outer one. */
  readonly ech: boolean;
}
export interface BadHello {
  readonly state: 'bad';
  readonly why: 'not-tls' | 'too-large' | 'malformed';
  readonly detail: string;
}
export type ClientHello = { readonly state: 'more' } | GoodHello | BadHello;

/** How far the records were walked. Who keeps it between calls is asked for no byte twice. */
export interface HelloProgress {
  /** Where the next record starts. */
  at: number;
  /** Bytes of the message in front of it. */
  got: number;
  /** Length of the message with its header; 0 while that is not known. */
  wanted: number;
}
export const newHelloProgress = (): HelloProgress => ({ at: 0, got: 0, wanted: 0 });

/** The largest that clients send, with keys against quantum computers, has less than 2 KiB. */
export const largestHello = 16 * 1024;
const recordHeader = 5;
const messageHeader = 4;

const bad = (why: BadHello['why'], detail: string): BadHello => ({ state: 'bad', why, detail });
// Made once: unauthenticated clients can cause them as often as they like.
const more: ClientHello = { state: 'more' };
const notTls = bad('not-tls', 'this is no TLS handshake');
const tooLarge = bad('too-large', 'the ClientHello has more than 16 KiB');
const wrongRecord = bad('malformed', 'a record is empty, or longer than TLS allows');
const otherRecord = bad('malformed', 'the ClientHello is interrupted by another kind of record');
const otherMessage = bad('malformed', 'the first message is not a ClientHello');
const wrongLength = bad('malformed', 'a length in the ClientHello is wrong');

const fromTheStart = newHelloProgress();

/** What the first `length` bytes say; 'more' means that they may still become a ClientHello. */
export function readClientHello(bytes: Buffer, length = bytes.length, kept?: HelloProgress): ClientHello {
  const progress = kept ?? restarted();
  while (progress.at < length) {
    const { at, got } = progress;
    const problem = recordProblem(bytes, at, length);
    if (problem !== undefined) return problem;
    if (length - at < recordHeader) return more;
    const size = bytes.readUInt16BE(at + 3);
    const here = Math.min(size, length - at - recordHeader);
    const refused = progress.wanted === 0 ? learnLength(bytes, progress, got + here) : undefined;
    if (refused !== undefined) return refused;
    if (progress.wanted > 0 && got + here >= progress.wanted) return readMessage(bytes, progress);
    if (here < size) return more;
    progress.at = at + recordHeader + size;
    progress.got = got + size;
  }
  return more;
}

function restarted(): HelloProgress {
  fromTheStart.at = 0;
  fromTheStart.got = 0;
  fromTheStart.wanted = 0;
  return fromTheStart;
}

function recordProblem(bytes: Buffer, at: number, length: number): BadHello | undefined {
  const isHandshake = bytes[at] === 22 && (length - at < 2 || bytes[at + 1] === 3);
  if (!isHandshake) return at === 0 ? notTls : otherRecord;
  if (length - at < recordHeader) return undefined;
  const size = bytes.readUInt16BE(at + 3);
  return size === 0 || size > 16_384 ? wrongRecord : undefined;
}

/** The header of the message may itself be spread over records, so it is read byte by byte. */
function learnLength(bytes: Buffer, progress: HelloProgress, available: number): BadHello | undefined {
  if (available < 1) return undefined;
  if (messageByte(bytes, 0) !== 1) return otherMessage;
  if (available < messageHeader) return undefined;
  const size = (messageByte(bytes, 1) << 16) | (messageByte(bytes, 2) << 8) | messageByte(bytes, 3);
  if (messageHeader + size > largestHello) return tooLarge;
  progress.wanted = messageHeader + size;
  return undefined;
}

/** Byte `index` of the message; it must have come, and records in front of it must be whole. */
function messageByte(bytes: Buffer, index: number): number {
  let [at, before] = [0, 0];
  for (;;) {
    const size = bytes.readUInt16BE(at + 3);
    if (index < before + size) return bytes[at + recordHeader + index - before] ?? 0;
    before += size;
    at += recordHeader + size;
  }
}

/** Reading is not interrupted, so one place to join records in is enough for all. */
const joined = Buffer.allocUnsafeSlow(largestHello);

function readMessage(bytes: Buffer, { at, wanted }: HelloProgress): GoodHello | BadHello {
  // In one record, as nearly all clients send it, nothing needs to be joined.
  if (at === 0) return readHello(bytes, recordHeader + messageHeader, recordHeader + wanted);
  let [from, length] = [0, 0];
  while (length < wanted) {
    const size = Math.min(bytes.readUInt16BE(from + 3), wanted - length);
    bytes.copy(joined, length, from + recordHeader, from + recordHeader + size);
    length += size;
    from += recordHeader + size;
  }
  return readHello(joined, messageHeader, wanted);
}

/** version, random, session, ciphers, compressions, extensions; old clients leave the last out. */
function readHello(bytes: Buffer, start: number, end: number): GoodHello | BadHello {
  if (start + 34 > end || bytes[start] !== 3) return wrongLength;
  const session = start + 34;
  const ciphers = afterVector(bytes, session, end, 1);
  const compressions = afterVector(bytes, ciphers, end, 2);
  const extensions = afterVector(bytes, compressions, end, 1);
  if (extensions < 0) return wrongLength;
  if (extensions < end && afterVector(bytes, extensions, end, 2) !== end) return wrongLength;
  return readExtensions(bytes, extensions + 2, end) ?? wrongLength;
}

/** Where the bytes behind a vector with a length of `width` bytes in front start; negative if it does not fit. */
function afterVector(bytes: Buffer, at: number, end: number, width: 1 | 2): number {
  if (at < 0 || at + width > end) return -1;
  const after = at + width + (width === 1 ? (bytes[at] ?? 0) : bytes.readUInt16BE(at));
  return after > end ? -1 : after;
}

// What a ClientHello says in its extensions: the server name (RFC 6066 §3), application protocols (RFC 7301), ECH.

const [serverNameType, alpnType, echType] = [0, 16, 0xfe0d];

const malformed = (detail: string): BadHello => ({ state: 'bad', why: 'malformed', detail });
const twice = malformed('an extension is there twice');
const wrongName = malformed('the server name extension has a wrong length or more than one name');
const wrongAlpn = malformed('the list of application protocols has a wrong length');
const noName = malformed('the server name has letters that no host name has');

/** Nothing where lengths do not fit. `at` may lie behind `end`: then there are none. */
export function readExtensions(bytes: Buffer, at: number, end: number): GoodHello | BadHello | undefined {
  let [name, alpn, ech] = [-1, -1, false];
  let next = at;
  while (next < end) {
    if (next + 4 > end) return undefined;
    const type = bytes.readUInt16BE(next);
    const after = next + 4 + bytes.readUInt16BE(next + 2);
    if (after > end) return undefined;
    if (isSecond(type, name, alpn)) return twice;
    if (type === serverNameType) name = next;
    else if (type === alpnType) alpn = next;
    else if (type === echType) ech = true;
    next = after;
  }
  return helloOf(bytes, name, alpn, ech);
}

/** Of two names we might read the one, and the server behind us the other. */
const isSecond = (type: number, name: number, alpn: number): boolean =>
  (type === serverNameType && name >= 0) || (type === alpnType && alpn >= 0);

function helloOf(bytes: Buffer, nameAt: number, alpnAt: number, ech: boolean): GoodHello | BadHello {
  const alpn = alpnAt < 0 ? none : alpnOf(bytes, alpnAt + 4, alpnAt + 4 + bytes.readUInt16BE(alpnAt + 2));
  if (alpn === undefined) return wrongAlpn;
  if (nameAt < 0) return { state: 'done', serverName: undefined, isAddress: false, alpn, ech };
  const serverName = serverNameOf(bytes, nameAt + 4, nameAt + 4 + bytes.readUInt16BE(nameAt + 2));
  if (typeof serverName !== 'string') return serverName;
  const isAddress = mayBeAddress(serverName) && isIp(serverName);
  // A colon is good for nothing else.
  if (!isAddress && serverName.includes(':')) return noName;
  return { state: 'done', serverName, isAddress, alpn, ech };
}

/** A list with exactly one name of type host_name, because nobody has ever used another. */
function serverNameOf(bytes: Buffer, at: number, end: number): string | BadHello {
  if (end - at < 6 || bytes.readUInt16BE(at) !== end - at - 2 || bytes[at + 2] !== 0) return wrongName;
  if (bytes.readUInt16BE(at + 3) !== end - at - 5) return wrongName;
  const start = at + 5;
  const stop = bytes[end - 1] === 46 && end - start > 1 ? end - 1 : end;
  if (stop - start > 253) return noName;
  let capitals = false;
  for (let i = start; i < stop; i++) {
    const kind = letters[bytes[i] ?? 0];
    if (kind === 0) return noName;
    capitals ||= kind === 2;
  }
  const name = bytes.toString('latin1', start, stop);
  return capitals ? name.toLowerCase() : name;
}

/** 1: may stand in a name; 2: is a capital; 0: neither. Underscores are no host name's, but are in use. */
const letters = new Uint8Array(256);
for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789-._:') letters[letter.charCodeAt(0)] = 1;
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') letters[letter.charCodeAt(0)] = 2;

/** The last label of a host name does not start with a digit; a colon is in IPv6 only. */
function mayBeAddress(name: string): boolean {
  const last = name.charCodeAt(name.lastIndexOf('.') + 1);
  return (last >= 48 && last <= 57) || name.includes(':');
}

const none: readonly string[] = [];
/** What clients really send, so that no list is made for them. */
const usual = new Map<string, readonly string[]>(
  [['h2', 'http/1.1'], ['h2'], ['http/1.1']].map((names) => [
    names.map((name) => String.fromCharCode(name.length) + name).join(''),
    names,
  ]),
);

function alpnOf(bytes: Buffer, at: number, end: number): readonly string[] | undefined {
  if (end - at < 2 || bytes.readUInt16BE(at) !== end - at - 2) return undefined;
  return (
    (end - at < 24 ? usual.get(bytes.toString('latin1', at + 2, end)) : undefined) ?? protocolsOf(bytes, at + 2, end)
  );
}

/** Only the first few are of interest; a list may have thousands. */
function protocolsOf(bytes: Buffer, at: number, end: number): readonly string[] | undefined {
  const found: string[] = [];
  let next = at;
  while (next < end) {
    const after = next + 1 + (bytes[next] ?? 0);
    if (after > end || after === next + 1) return undefined;
    if (found.length < 16) found.push(bytes.toString('latin1', next + 1, after));
    next = after;
  }
  return found;
}
