// What the answer of a proxy to CONNECT means, and what to change.
import type { ConnectResponse, HeadFault } from '../connect-head.ts';
import type { Diagnosis } from './steps.ts';

export interface Asked {
  /** The proxy, without credentials. */
  readonly proxy: string;
  /** host:port that was asked for. */
  readonly target: string;
  readonly port: number;
  readonly withCredentials: boolean;
}

/** For every status but 2xx. */
export function diagnoseAnswer(asked: Asked, response: ConnectResponse): Diagnosis {
  const { status } = response;
  const said = `the proxy ${asked.proxy} answered "${response.statusLine}" to CONNECT ${asked.target}${evidence(response)}`;
  if (status === 407) return refusedCredentials(asked, said, schemesOf(response));
  if (status === 401 || status === 403 || status === 451) return denied(asked, said);
  if (status === 405 || status === 501) return noConnect(said);
  if (status >= 300 && status < 400) return redirected(said);
  if (status === 400) return notUnderstood(said);
  if (status === 429) return tooMany(said);
  if (status >= 500) return unreachable(asked, said, response);
  return { code: 'CW-PROXY-ANSWER', message: said, fix: 'ask those who run the proxy what this answer means' };
}

/** Headers that name who answered and why; none of them can hold what we sent. */
function evidence({ headers }: ConnectResponse): string {
  const shown = ['x-squid-error', 'via', 'server', 'location'].flatMap((name) => {
    const value = headers.get(name)?.[0];
    return value === undefined ? [] : [`${name}: ${value.slice(0, 120)}`];
  });
  return shown.length === 0 ? '' : ` (${shown.join('; ')})`;
}

/** Schemes that the proxy offers, each once, as it writes them. */
export function schemesOf({ headers }: ConnectResponse): string[] {
  const offers = (headers.get('proxy-authenticate') ?? []).flatMap(challengesIn);
  return [...new Map(offers.map((scheme) => [scheme.toLowerCase(), scheme])).values()].slice(0, 8);
}

/** Challenges may share one header; a scheme is a word that is followed by parameters or by nothing. */
const challengesIn = (value: string): string[] =>
  [...value.replace(/"(?:[^"\\]|\\.)*"/g, '""').matchAll(/(?:^|,)\s*([A-Za-z][\w-]*)(?=\s*(?:,|$)|\s+[^\s=,])/g)].map(
    (match) => match[1] as string,
  );

function refusedCredentials(asked: Asked, said: string, schemes: readonly string[]): Diagnosis {
  const offered = schemes.length === 0 ? 'no scheme' : schemes.join(', ');
  if (schemes.length > 0 && !schemes.some((scheme) => scheme.toLowerCase() === 'basic'))
    return {
      code: 'CW-PROXY-AUTH-SCHEME',
      message: `${said}: it takes ${offered}, and only Basic is supported`,
      fix: `ask for an account with Basic authentication, or for ${asked.target} to be allowed from this machine without one`,
    };
  if (asked.withCredentials)
    return {
      code: 'CW-PROXY-AUTH-WRONG',
      message: `${said}: it does not accept the user and password that were sent (it offers ${offered})`,
      fix: 'correct them in the credentials file (first line user:password, not encoded) or, in a URL, percent-encode % @ : /; the account may also be locked',
    };
  return {
    code: 'CW-PROXY-AUTH-MISSING',
    message: `${said}: it wants credentials (${offered}), and none were given`,
    fix: 'write user:password into a file that only the agent can read, and give --proxy-credentials-file FILE',
  };
}

const usualPort = 443;

function denied({ target, port, withCredentials }: Asked, said: string): Diagnosis {
  const account = withCredentials ? ' for this account' : '';
  if (port !== usualPort)
    return {
      code: 'CW-PROXY-PORT',
      message: `${said}: its rules forbid it, most likely because of the port: proxies rarely allow CONNECT to another one than 443`,
      fix: `let the gateway offer its single port 443 and use that, or ask for ${target} on the proxy's allow-list${account}`,
    };
  return {
    code: 'CW-PROXY-DENIED',
    message: `${said}: its rules forbid this destination`,
    fix: `ask for ${target} (CONNECT, without TLS inspection) on the proxy's allow-list${account}`,
  };
}

const noConnect = (said: string): Diagnosis => ({
  code: 'CW-PROXY-NO-CONNECT',
  message: `${said}: it does not tunnel`,
  fix: 'this is a web server or a proxy without CONNECT: check host and port of --proxy',
});

const redirected = (said: string): Diagnosis => ({
  code: 'CW-PROXY-LOGIN',
  message: `${said}: it sends a person to another page, as a login portal does`,
  fix: 'ask for this machine to be exempt from the portal',
});

const notUnderstood = (said: string): Diagnosis => ({
  code: 'CW-PROXY-BAD-REQUEST',
  message: `${said}: it did not understand the request`,
  fix: 'check whether its port is for plain HTTP (http://) or for TLS (https://), and that it is a proxy at all',
});

const tooMany = (said: string): Diagnosis => ({
  code: 'CW-PROXY-BUSY',
  message: `${said}: it has had too many requests`,
  fix: 'ask for a higher limit for this machine; the agent keeps a few connections open and tries again more slowly',
});

function unreachable({ target }: Asked, said: string, response: ConnectResponse): Diagnosis {
  const squid = response.headers.get('x-squid-error')?.[0] ?? '';
  // Squid 5 says "cannot forward" of a CONNECT to a name that it cannot resolve.
  if (/DNS|CANNOT_FORWARD/i.test(squid))
    return {
      code: 'CW-PROXY-DNS',
      message: `${said}: it cannot resolve the name`,
      fix: `the name must resolve where the proxy is: ask for the DNS record, or give the gateway's address and --name`,
    };
  return {
    code: 'CW-PROXY-UPSTREAM',
    message: `${said}: it allows the destination but cannot reach it`,
    fix: `ask for a firewall rule from the proxy to ${target}, and check that the gateway listens there and that its name resolves there`,
  };
}

/** The answer was not even HTTP. */
export function diagnoseNoHttp({ proxy }: Asked, why: HeadFault, start: string): Diagnosis {
  if (why === 'speaks-tls')
    return {
      code: 'CW-PROXY-NOT-HTTP',
      message: `the proxy ${proxy} answered CONNECT with TLS`,
      fix: 'write the proxy as https://host:port, or give its port for plain HTTP',
    };
  const size = why === 'too-large' || why === 'too-many-lines' ? ' of more than 16 KiB or 64 lines' : '';
  return {
    code: 'CW-PROXY-NOT-HTTP',
    message: `the proxy ${proxy} did not answer CONNECT with a head of HTTP/1${size}: "${start}"`,
    fix: 'this is no HTTP proxy: check host and port (a SOCKS proxy is not supported)',
  };
}
