// Host names and host:port as a snapshot has them. Letters are read one by one, without a regular expression and without
// cutting the text, because there are tens of thousands of them.
import { hostProblem } from '../../core/names.ts';
import { canonicalIp, isIp } from '../../net/index.ts';
import { shown, type Word } from './validator.ts';

export interface Backend {
  /** As it is written in the snapshot. */
  readonly text: string;
  readonly host: string;
  readonly port: number;
  /** False: the host must be looked up. */
  readonly isAddress: boolean;
}

/** Names are compared in lower case and without the dot at their end. */
export function canonicalName(name: string): string {
  const lower = name.toLowerCase();
  return lower.charCodeAt(lower.length - 1) === 46 ? lower.slice(0, -1) : lower;
}

const [dot, hyphen, openBracket, closeBracket] = [46, 45, 91, 93];
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLetter = (code: number): boolean => code >= 97 && code <= 122;

/** True for a name in lower case that is certainly right. Everything unusual is looked at again with more care. */
function isUsualName(text: string, end: number): boolean {
  if (end < 1 || end > 253) return false;
  let labelStart = 0;
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === dot) {
      if (!isLabelEdge(text, labelStart, i)) return false;
      labelStart = i + 1;
    } else if (!isLetter(code) && !isDigit(code) && code !== hyphen) return false;
  }
  // With a digit in front of its last label it could be an address.
  return isLabelEdge(text, labelStart, end) && isLetter(text.charCodeAt(labelStart));
}

const isLabelEdge = (text: string, start: number, end: number): boolean =>
  end > start && end - start <= 63 && text.charCodeAt(start) !== hyphen && text.charCodeAt(end - 1) !== hyphen;

export const nameProblem: Word = (name) => {
  if (isUsualName(name, name.length)) return undefined;
  const canonical = canonicalName(name);
  // No client may send an address there, so no route can wait for one.
  if (isIp(canonical)) return `${shown(name)} is an address, and clients send names only`;
  const problem = hostProblem(canonical);
  return problem === undefined ? undefined : `${shown(name)} ${problem}`;
};

export const hostPortProblem: Word = (text) => {
  const at = portColon(text);
  if (at < 0) return `${shown(text)} is not host:port; an IPv6 address goes in brackets, as in [2001:db8::1]:6443`;
  if (isUsualName(text, at)) return undefined;
  const host = hostBefore(text, at);
  return isIp(host) ? undefined : nameProblem(host);
};

/** Where the colon in front of the port is; negative where the text is not host:port. */
function portColon(text: string): number {
  const at = text.lastIndexOf(':');
  if (at < 1 || portAfter(text, at) < 1) return -1;
  const bracketed = text.charCodeAt(0) === openBracket;
  if (bracketed !== (text.charCodeAt(at - 1) === closeBracket)) return -1;
  return bracketed === text.indexOf(':') < at ? at : -1;
}

function portAfter(text: string, at: number): number {
  if (text.length - at > 6) return -1;
  let port = 0;
  for (let i = at + 1; i < text.length; i++) {
    if (!isDigit(text.charCodeAt(i))) return -1;
    port = port * 10 + text.charCodeAt(i) - 48;
  }
  return port > 65535 ? -1 : port;
}

const hostBefore = (text: string, at: number): string =>
  text.charCodeAt(0) === openBracket ? text.slice(1, at - 1) : text.slice(0, at);

/** The text was checked. */
export function readBackend(text: string): Backend {
  const at = portColon(text);
  const host = hostBefore(text, at);
  const address = canonicalIp(host);
  return { text, host: address ?? canonicalName(host), port: portAfter(text, at), isAddress: address !== undefined };
}
