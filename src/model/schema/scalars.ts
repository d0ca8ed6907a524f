// The smallest words of the model. Each refuses with a sentence that says what would be right.
import { z } from 'zod';
import { IpError, parseAddress, parseCidr, parseRange } from '../../core/ip.ts';
import { hostProblem } from '../../core/names.ts';
import { harmlessType } from './access.ts';

/** A string whose problem, if any, is told by `problem`. */
const told = (problem: (text: string) => string | undefined) =>
  z.string().superRefine((text, ctx) => {
    const message = problem(text);
    if (message !== undefined) ctx.addIssue({ code: 'custom', message });
  });

const ipProblem =
  (parse: (text: string) => unknown) =>
  (text: string): string | undefined => {
    try {
      parse(text);
      return undefined;
    } catch (error) {
      if (!(error instanceof IpError)) throw error;
      return error.fix === undefined ? error.message : `${error.message}; write ${error.fix}`;
    }
  };

const hostSentence = (text: string): string | undefined => {
  const problem = hostProblem(text);
  return problem === undefined ? undefined : `"${text.slice(0, 80)}" ${problem}`;
};

function endpointProblem(text: string): string | undefined {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text);
  if (match === null)
    return `"${text.slice(0, 80)}" is not host:port; an IPv6 address goes in brackets, as in [2001:db8::1]:6443`;
  const port = Number(match[3]);
  if (port < 1 || port > 65535) return `${port} is not a port; ports are 1-65535`;
  return match[1] === undefined ? hostOrIp(match[2] ?? '') : ipProblem(parseAddress)(match[1]);
}

const hostOrIp = (text: string): string | undefined =>
  /^[\d.]+$/.test(text) || text.includes(':') ? ipProblem(parseAddress)(text) : hostSentence(text);

function urlProblem(text: string, schemes: readonly string[]): string | undefined {
  const url = URL.parse(text);
  if (url === null)
    return `"${text.slice(0, 80).replace(/\/\/[^@/]*@/, '//…@')}" is not a URL; write ${schemes[0]}://host:port`;
  if (!schemes.includes(url.protocol.slice(0, -1)))
    return `the scheme is ${url.protocol.slice(0, -1)}; it must be ${schemes.join(' or ')}`;
  if (url.username !== '' || url.password !== '')
    return 'the URL carries credentials; put them into a Secret, a file or a variable and refer to it';
  return undefined;
}

function portRangeProblem(text: string): string | undefined {
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(text);
  const [first, last] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || first < 1 || last > 65535)
    return `"${text.slice(0, 80)}" is not a range of ports; write 30000-32767`;
  return first > last ? `${text} ends before it starts; write ${last}-${first}` : undefined;
}

/** The content of a PEM text with exactly one part of this kind, without what makes it readable. */
const pemContent = (text: string, kind: string): string | undefined =>
  new RegExp(`^\\s*-----BEGIN ${kind}-----\\s+([A-Za-z0-9+/=\\s]+?)\\s+-----END ${kind}-----\\s*$`)
    .exec(text)?.[1]
    ?.replace(/\s/g, '');

/** Every Ed25519 key has the same first 12 bytes (RFC 8410), and 32 of its own. */
const ed25519Problem = (text: string): string | undefined =>
  /^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=$/.test(pemContent(text, 'PUBLIC KEY') ?? '')
    ? undefined
    : 'this is not an Ed25519 public key in PEM; "causeway gateway pki" writes one to token.pub';

const certificateProblem = (text: string): string | undefined =>
  /^MII[A-Za-z0-9+/]{200,}={0,2}$/.test(pemContent(text, 'CERTIFICATE') ?? '')
    ? undefined
    : 'this is not one certificate in PEM; write each one as an entry of its own';

/** Longest name that still leaves room for `cluster-` in front of it in a namespace. */
const nameProblem = (text: string): string | undefined =>
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text) && text.length <= 55
    ? undefined
    : `"${text.slice(0, 80)}" is not a name; use up to 55 lower-case letters, digits and inner hyphens`;

// The titles name the kinds of text in editors, in `causeway explain` and in the reference.
export const name = harmlessType(
  told(nameProblem).meta({ title: 'name', maxLength: 55, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }),
  'refers to something that is described elsewhere, and whose fields have their own rules',
);
export const host = told(hostSentence).meta({ title: 'host name', maxLength: 253 });
export const hostOrAddress = told(hostOrIp).meta({ title: 'host name or IP address', maxLength: 253 });
export const address = told(ipProblem(parseAddress)).meta({ title: 'IP address', maxLength: 45 });
export const cidr = harmlessType(
  told(ipProblem(parseCidr)).meta({ title: 'network', maxLength: 49 }),
  'nothing is sent to a network',
);
export const addressRange = harmlessType(
  told(ipProblem(parseRange)).meta({ title: 'address range', maxLength: 91 }),
  'nothing is sent to a range',
);
export const endpoint = told(endpointProblem).meta({ title: 'host:port', maxLength: 261 });
export const webUrl = told((text) => urlProblem(text, ['https', 'http'])).meta({ title: 'URL', maxLength: 2048 });
export const gitUrl = z.string().min(1).max(2048).meta({ title: 'git URL' });
export const portRange = harmlessType(told(portRangeProblem).meta({ title: 'port range', maxLength: 11 }), 'numbers');
export const port = z.int().min(1).max(65535).meta({ title: 'port' });
export const count = z.int().min(0).max(1_000_000);
export const text = z.string().min(1).max(1024);
export const ed25519Key = told(ed25519Problem).meta({ title: 'Ed25519 public key (PEM)', maxLength: 1024 });
export const certificate = told(certificateProblem).meta({ title: 'certificate (PEM)', maxLength: 65_536 });
export const rowId = z
  .string()
  .regex(/^[A-Z0-9]{2,3}-\d{1,2}$/, 'a catalogue row looks like LB-3')
  .meta({ title: 'catalogue row' });
export const duration = harmlessType(
  z
    .string()
    .regex(/^([1-9]\d{0,5}(ms|s|m|h))+$/, 'a duration is a number and a unit, as in 30s, 5m or 1h')
    .meta({ title: 'duration' }),
  'a number',
);
export const date = z.iso.date('a date is written as 2027-03-31').meta({ title: 'date' });
export const kubernetesVersion = harmlessType(
  z
    .string()
    .regex(/^1\.\d{1,2}\.\d{1,3}$/, 'a Kubernetes version is written in full and without v, as in 1.36.3')
    .meta({ title: 'Kubernetes version' }),
  'numbers',
);
