// What a ClientHello says in its extensions: the server name (RFC 6066 §3), application protocols (RFC 7301), ECH.
import type { BadHello, GoodHello } from './client-hello.ts';
import { isIp } from './ip-words.ts';

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
