// Asks whoever is behind the tunnel for its certificate, as a pod does: by a service address, so without SNI.
import { connect, type TLSSocket } from 'node:tls';
import { CausewayError, exitCodes } from '../../core/errors.ts';
import { type Presented, presentedBy } from '../../net/proxy-dial/certificate.ts';
import { withDeadline } from '../../net/proxy-dial/deadline.ts';
import { duplexOfWire } from '../../net/wire/duplex-of-wire.ts';
import type { Wire } from '../../net/wire/wire.ts';

/** Nothing is sent to it, so nothing is at stake: whose certificate it is, is for a person to judge. */
export const certificateBehind = (wire: Wire, timeoutMs: number): Promise<Presented> =>
  withDeadline(timeoutMs, undefined, (signal) => shakeHands(wire, signal)).finally(() => wire.destroy());

const shakeHands = (wire: Wire, signal: AbortSignal): Promise<Presented> =>
  new Promise((resolve, reject) => {
    const stream = duplexOfWire(wire);
    const tls = connect({ socket: stream, rejectUnauthorized: false });
    const finish = (): void => void tls.on('error', () => {}).destroy();
    signal.addEventListener('abort', finish, { once: true });
    // The reason is the stream's: TLS on top of it only knows that it was cut.
    stream.once('error', reject);
    tls.once('error', (error) => setImmediate(reject, error));
    tls.once('close', () => setImmediate(reject, silent()));
    tls.once('secureConnect', () => {
      const presented = presentedOn(tls);
      finish();
      if (presented === undefined) reject(silent());
      else resolve(presented);
    });
  });

function presentedOn(tls: TLSSocket): Presented | undefined {
  const certificate = tls.getPeerX509Certificate();
  return certificate === undefined ? undefined : presentedBy(certificate);
}

const silent = (): CausewayError =>
  new CausewayError(
    'CW-CHECK-API-SERVER',
    'the API server closed the connection without a certificate',
    'check that the cluster runs, and that the backends in the snapshot of the gateway are its API servers',
    exitCodes.findings,
  );
