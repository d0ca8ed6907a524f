// What went wrong between us and an API server, in words for people.
import type { IncomingMessage } from 'node:http';
import { CausewayError, exitCodes } from '../core/errors.ts';

/** An answer that is a refusal, with Kubernetes' own words. */
export class KubeError extends CausewayError {
  readonly status: number;
  /** How long the server asks to be left alone. */
  readonly retryAfterMs: number;
  constructor(status: number, message: string, retryAfterMs = 0) {
    const { code, fix } = kinds[status] ?? kindOf(status);
    super(code, message, fix, exitCodes.internal);
    this.name = 'KubeError';
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

interface Kind {
  readonly code: string;
  readonly fix: string;
}

const kinds: Readonly<Record<number, Kind>> = {
  401: {
    code: 'CW-KUBE-UNAUTHORIZED',
    fix: 'get new credentials or a new kubeconfig: these have ended, or are of another cluster',
  },
  403: { code: 'CW-KUBE-FORBIDDEN', fix: 'use credentials that may do this, or give the user a role that does' },
  404: { code: 'CW-KUBE-NOT-FOUND', fix: 'check name and namespace, and that the API is served by this version' },
  409: { code: 'CW-KUBE-CONFLICT', fix: 'read the object again: somebody else changed it meanwhile' },
  410: { code: 'CW-KUBE-EXPIRED', fix: 'list again: the server has compacted the history that was asked for' },
  422: { code: 'CW-KUBE-INVALID', fix: 'correct the fields that are named' },
};
const kindOf = (status: number): Kind =>
  status >= 500
    ? { code: 'CW-KUBE-SERVER', fix: 'look at the log of the API server and of etcd' }
    : { code: 'CW-KUBE-REFUSED', fix: 'correct the request' };

/** Kubernetes explains itself in a Status object; proxies in front of it do not. */
export function refusalOf(what: string, { statusCode = 0, headers }: IncomingMessage, body: string): KubeError {
  const said = statusMessage(body) ?? body.trim().slice(0, 200);
  const retryAfter = Number(headers['retry-after']) || 0;
  return new KubeError(statusCode, `${what}: ${statusCode}${said === '' ? '' : `, ${said}`}`, retryAfter * 1000);
}

function statusMessage(body: string): string | undefined {
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

export function unreachable(server: string, { code, message }: NodeJS.ErrnoException): CausewayError {
  const certificate = code?.startsWith('ERR_TLS') || /CERT|SIGNATURE|ISSUER/.test(code ?? '');
  return new CausewayError(
    certificate ? 'CW-KUBE-CERTIFICATE' : 'CW-KUBE-UNREACHABLE',
    `cannot talk to the API server at ${server}: ${message}`,
    certificate
      ? 'check that the kubeconfig is of this cluster, and the clocks of both sides'
      : 'check that the control plane runs: causeway status',
    exitCodes.internal,
  );
}
