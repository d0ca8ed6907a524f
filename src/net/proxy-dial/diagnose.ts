// Every way in which a step fails, as a sentence: what happened, where, what it means, what to change.
import type { Diagnosis, Step } from './steps.ts';

const nouns: Record<Step, string> = {
  'resolve-proxy': 'looking up the proxy',
  'connect-proxy': 'connecting to the proxy',
  'tls-proxy': 'TLS with the proxy',
  'ask-proxy': 'waiting for the answer of the proxy',
  'resolve-gateway': 'looking up the gateway',
  'connect-gateway': 'connecting to the gateway',
  'tls-gateway': 'TLS with the gateway',
};

export function diagnoseTimeout(step: Step, peer: string, afterMs: number): Diagnosis {
  const waited = `${Math.round(afterMs / 100) / 10} s`;
  return {
    code: 'CW-DIAL-TIMEOUT',
    message: `${nouns[step]} (${peer}) took longer than ${waited}`,
    fix: timeoutFix[step](peer),
  };
}

const resolver = (): string => 'check the name servers of this machine (/etc/resolv.conf)';
const firewall = (peer: string): string =>
  `a firewall on the way probably drops the packets: ask for TCP from this machine to ${peer}`;
const timeoutFix: Record<Step, (peer: string) => string> = {
  'resolve-proxy': resolver,
  'resolve-gateway': resolver,
  'connect-proxy': firewall,
  'connect-gateway': firewall,
  'tls-proxy': (peer) => `check that ${peer} is a proxy that speaks TLS; if it does not, write it as http://`,
  'ask-proxy': () => 'the proxy itself may not reach the gateway: ask for a firewall rule from the proxy to it',
  'tls-gateway': (peer) => `check that ${peer} is a gateway; inspection on the way can hold TLS back, too`,
};

export function diagnoseResolve(host: string, error: NodeJS.ErrnoException): Diagnosis {
  const missing = error.code === 'ENOTFOUND' || error.code === 'ENODATA';
  return {
    code: 'CW-DIAL-DNS',
    message: missing
      ? `the name ${host} does not exist in DNS`
      : `the name ${host} cannot be looked up (${error.code})`,
    fix: missing ? 'check the spelling, or ask for the DNS record' : resolver(),
  };
}

const unreachable = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN', 'EHOSTDOWN']);

export function diagnoseConnect(peer: string, error: NodeJS.ErrnoException): Diagnosis {
  const code = error.code ?? '';
  if (code === 'ECONNREFUSED')
    return {
      code: 'CW-DIAL-REFUSED',
      message: `${peer} refused the connection: nothing listens there, or a firewall rejects it`,
      fix: 'check host and port, and that it runs',
    };
  if (unreachable.has(code))
    return {
      code: 'CW-DIAL-UNREACHABLE',
      message: `there is no way to ${peer} (${code})`,
      fix: 'check routes and addresses of this machine, and IPv6 if the address is one',
    };
  if (code === 'ECONNRESET')
    return {
      code: 'CW-DIAL-RESET',
      message: `${peer} took the connection and reset it at once`,
      fix: 'a firewall or balancer in front of it may do that: ask whether this machine may connect to it',
    };
  if (code === 'ETIMEDOUT')
    return { code: 'CW-DIAL-TIMEOUT', message: `${peer} did not answer in time`, fix: firewall(peer) };
  return {
    code: 'CW-DIAL-FAILED',
    message: `no connection to ${peer} (${code || error.message})`,
    fix: 'check host and port, and the firewalls on the way',
  };
}

export const diagnoseSilence = (proxy: string, target: string): Diagnosis => ({
  code: 'CW-PROXY-CLOSED',
  message: `the proxy ${proxy} closed the connection without an answer to CONNECT ${target}`,
  fix: 'check that this is an HTTP proxy, whether it wants https:// in its URL, and whether it accepts this machine',
});
