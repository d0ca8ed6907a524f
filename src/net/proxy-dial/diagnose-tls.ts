// What a failed TLS handshake means: an untrusted, wrong or old certificate, an interceptor, or no TLS at all.
import { showable } from '../connect-head.ts';
import { isInspector, type Presented } from '../tls/certificate.ts';
import type { Diagnosis } from './steps.ts';

/** Which certificates are believed. */
export interface Trust {
  /** The file it comes from; absent: the authorities of the system. */
  readonly file?: string;
  /** Who they are, where it is a file. */
  readonly subjects: readonly string[];
}

export interface Handshake {
  /** host:port of the other end. */
  readonly peer: string;
  readonly serverName: string;
  readonly trust: Trust;
  /** The proxy in between, without credentials. */
  readonly proxy?: string;
  /** How to give a CA file for this peer. */
  readonly caFlag: string;
  readonly nameFlag?: string;
}

const untrusted = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'INVALID_CA',
]);

export function diagnoseCertificate(tls: Handshake, code: string, presented: Presented | undefined): Diagnosis {
  if (presented === undefined)
    return { code: 'CW-TLS-FAILED', message: `${tls.peer} presented no certificate (${code})`, fix: checkPeer(tls) };
  if (untrusted.has(code)) return notOurs(tls, presented);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return wrongName(tls, presented);
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return wrongTime(tls, code, presented);
  return {
    code: 'CW-TLS-FAILED',
    message: `the certificate of ${tls.peer} (${who(presented)}) was refused: ${code}`,
    fix: checkPeer(tls),
  };
}

const who = ({ subject, issuer }: Presented): string => `${subject}; issued by ${issuer}`;
const checkPeer = ({ peer }: Handshake): string => `check that ${peer} is the gateway, and its certificate`;

function notOurs(tls: Handshake, presented: Presented): Diagnosis {
  const message = `the certificate that ${tls.peer} presented for ${tls.serverName} is ${who(presented)}; ${signers(tls.trust)} did not sign it`;
  if (!looksIntercepted(tls, presented))
    return { code: 'CW-TLS-UNTRUSTED', message, fix: untrustedFix(tls, presented) };
  const by = tls.proxy === undefined ? 'something on the way' : `the proxy ${tls.proxy}, or something behind it,`;
  return {
    code: 'CW-TLS-INTERCEPTED',
    message: `${message}: ${by} intercepts TLS as "${presented.issuer}"`,
    fix: `ask for ${tls.serverName} to be exempt from TLS inspection: the tunnel proves both of its ends and cannot be inspected. If this really is the gateway's certificate, give its authority with ${tls.caFlag} FILE`,
  };
}

const signers = ({ file, subjects }: Trust): string =>
  file === undefined ? 'the authorities of this system' : `${file} (${subjects.slice(0, 4).join('; ')})`;

/** An inspector says so, or makes a certificate for our very name which our authority did not sign. */
function looksIntercepted({ proxy, trust, serverName }: Handshake, { issuer, names }: Presented): boolean {
  if (trust.subjects.includes(issuer)) return false;
  return isInspector(issuer) || (proxy !== undefined && (trust.file !== undefined || names.includes(serverName)));
}

function untrustedFix({ trust, caFlag }: Handshake, { issuer }: Presented): string {
  if (trust.subjects.includes(issuer))
    return `${trust.file} has an authority of that name with another key: get the present one from whoever runs it`;
  return `give the file with the certificate of "${issuer}" with ${caFlag} FILE if it is the right one; otherwise something on the way intercepts TLS`;
}

function wrongName({ peer, serverName, nameFlag }: Handshake, presented: Presented): Diagnosis {
  const names = presented.names.length === 0 ? 'no name' : presented.names.join(', ');
  const other = nameFlag === undefined ? '' : `, or say the name of the tunnel with ${nameFlag}`;
  return {
    code: 'CW-TLS-NAME',
    message: `the certificate of ${peer} is for ${names}, not for ${serverName} (${who(presented)})`,
    fix: `add ${serverName} to the certificate${other}`,
  };
}

function wrongTime({ peer }: Handshake, code: string, presented: Presented): Diagnosis {
  const early = code === 'CERT_NOT_YET_VALID';
  const when = early ? `is not valid before ${presented.validFrom}` : `has expired on ${presented.validTo}`;
  return {
    code: early ? 'CW-TLS-NOT-YET' : 'CW-TLS-EXPIRED',
    message: `the certificate of ${peer} ${when} (${who(presented)})`,
    fix: early ? 'check the clock of this machine' : 'renew the certificate; check the clock of this machine, too',
  };
}

/** The certificate was fine, but nobody there speaks our protocol. */
export function diagnoseAlpn(tls: Handshake, wanted: readonly string[], presented: Presented | undefined): Diagnosis {
  const shown = presented === undefined ? '' : ` Its certificate is ${who(presented)}.`;
  return {
    code: 'CW-TLS-ALPN',
    message: `${tls.peer} speaks TLS, but none of ${wanted.join(', ')} (ALPN).${shown}`,
    fix: `either this is not the tunnel of a gateway: check host, port${tls.nameFlag === undefined ? '' : ` and ${tls.nameFlag}`}; or TLS is inspected on the way: ask for ${tls.serverName} to be exempt`,
  };
}

interface TlsError extends Error {
  readonly code?: string;
  readonly reason?: string;
}

/** The handshake itself broke. */
export function diagnoseHandshake(tls: Handshake, error: TlsError, wanted: readonly string[] = []): Diagnosis {
  const code = error.code ?? '';
  if (/NO_APPLICATION_PROTOCOL/.test(code)) return diagnoseAlpn(tls, wanted, undefined);
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH|HTTP_REQUEST|RECORD_LAYER|UNEXPECTED_MESSAGE/.test(code))
    return {
      code: 'CW-TLS-NOT-TLS',
      message: `${tls.peer} does not answer with TLS`,
      fix: 'check the port; a tunnel without TLS needs --plaintext, a proxy without TLS http:// in its URL',
    };
  if (/UNRECOGNIZED_NAME/.test(code))
    return {
      code: 'CW-TLS-UNKNOWN-NAME',
      message: `${tls.peer} does not know the name ${tls.serverName}`,
      fix: `the name of the tunnel is in the gateway's snapshot (tunnel.name); give it with ${tls.nameFlag ?? '--name'}`,
    };
  if (/ALERT/.test(code))
    return {
      code: 'CW-TLS-ALERT',
      message: `${tls.peer} refused TLS with an alert: ${showable(error.reason ?? code).slice(0, 120)}`,
      fix: `see the log of ${tls.peer} for the reason; a client certificate (--cert, --key) may be missing or refused`,
    };
  if (['ECONNRESET', 'EPIPE', 'EOF'].includes(code)) return cutOff(tls);
  return {
    code: 'CW-TLS-FAILED',
    message: `TLS with ${tls.peer} failed: ${showable(error.message).slice(0, 160)}`,
    fix: checkPeer(tls),
  };
}

const cutOff = ({ peer, proxy, serverName }: Handshake): Diagnosis => ({
  code: 'CW-TLS-CUT',
  message: `the connection to ${peer} was cut in the TLS handshake${proxy === undefined ? '' : `, after the proxy ${proxy} had agreed to it`}`,
  fix: `a firewall or proxy on the way may drop TLS with the name ${serverName}: ask for it to be allowed; or the gateway does not listen there`,
});
