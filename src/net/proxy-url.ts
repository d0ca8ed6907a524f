// A proxy as people name it: http://user:password@host:port. What is secret in it never leaves in an error.
import { CausewayError } from '../core/errors.ts';
import { hostPort } from '../core/host-port.ts';
import type { Credentials } from './connect-head.ts';

export interface HttpProxy {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly credentials?: Credentials;
}

/** For logs and errors: where it is, never who asks. */
export const proxyName = ({ scheme, host, port }: HttpProxy): string => `${scheme}://${hostPort(host, port)}`;

export function parseProxyUrl(text: string): HttpProxy {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '')
    throw badProxy(`"${masked(text)}" is not the URL of an HTTP proxy`);
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    throw badProxy(`the URL of the proxy "${masked(text)}" has something behind the host`);
  const scheme = url.protocol === 'http:' ? 'http' : 'https';
  const port = url.port === '' ? (scheme === 'http' ? 80 : 443) : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { scheme, host, port, ...credentialsIn(url) };
}

function credentialsIn(url: URL): { credentials?: Credentials } {
  if (url.username === '' && url.password === '') return {};
  return { credentials: { user: decoded(url.username), password: decoded(url.password) } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badProxy(
      'user or password in the URL of the proxy is not percent-encoded',
      'write % as %25, @ as %40, : as %3A',
    );
  }
}

/** `user:password`, as in a file of its own; the user cannot have a colon, the password can. */
export function parseCredentials(text: string, where: string): Credentials {
  const line = text.replace(/\r?\n[\s\S]*$/, '');
  const colon = line.indexOf(':');
  if (colon > 0) return { user: line.slice(0, colon), password: line.slice(colon + 1) };
  throw new CausewayError(
    'CW-PROXY-CREDENTIALS',
    `${where} does not hold credentials for a proxy`,
    'its first line must be user:password, not encoded in any way',
  );
}

const badProxy = (message: string, fix = 'write it as http://proxy.example:3128 or https://proxy.example:3128') =>
  new CausewayError('CW-PROXY-URL', message, fix);

/** Everything that may be a user or a password is left out, also where the text is no URL at all. */
const masked = (text: string): string => text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1***@').slice(0, 200);
