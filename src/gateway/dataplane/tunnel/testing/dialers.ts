// For tests: ways to a gateway, as an agent has them, and certificates for both ends.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from 'node:tls';
import type { Dialer } from '../../../../net/tunnel/index.ts';
import { localDial, wireOfTls } from '../../../../net/wire/index.ts';

export const plainDialer: Dialer = ({ host, port }, done) =>
  localDial(host, port, 2000, (error, wire) => (wire === undefined ? done(error) : done(undefined, { wire })));

export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

export const tlsDialer =
  (ca: string, alpn: readonly string[], own?: KeyPair): Dialer =>
  ({ host, port }, done) => {
    const socket = connect({ host, port, ca, servername: 'tunnel.example', ALPNProtocols: [...alpn], ...own });
    socket.once('error', done);
    socket.once('secureConnect', () => {
      socket.removeAllListeners('error');
      const chosen = socket.alpnProtocol;
      done(undefined, { wire: wireOfTls(socket), alpn: typeof chosen === 'string' ? chosen : undefined });
    });
    return () => socket.on('error', () => {}).destroy();
  };

export interface TestAuthority extends KeyPair {
  /** Signs a client certificate. */
  issue(subject: string): KeyPair;
}

const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const openssl = (...words: string[]): void => void execFileSync('openssl', words, { stdio: 'ignore' });

export function testAuthority(name: string): TestAuthority {
  const inDirectory = <Result>(work: (file: (name: string) => string) => Result): Result => {
    const directory = mkdtempSync(path.join(tmpdir(), 'causeway-tunnel-'));
    try {
      return work((file) => path.join(directory, file));
    } finally {
      rmSync(directory, { recursive: true });
    }
  };
  const pairIn = (file: (name: string) => string): KeyPair => ({
    key: readFileSync(file('key'), 'utf8'),
    cert: readFileSync(file('cert'), 'utf8'),
  });
  const own = inDirectory((file) => {
    openssl(
      'req',
      '-x509',
      ...curve,
      '-subj',
      `/CN=${name}`,
      '-days',
      '2',
      '-keyout',
      file('key'),
      '-out',
      file('cert'),
    );
    return pairIn(file);
  });
  const issue = (subject: string): KeyPair =>
    inDirectory((file) => {
      writeFileSync(file('ca.key'), own.key);
      writeFileSync(file('ca.cert'), own.cert);
      openssl('req', ...curve, '-subj', subject, '-keyout', file('key'), '-out', file('request'));
      const signer = ['-CA', file('ca.cert'), '-CAkey', file('ca.key'), '-CAcreateserial'];
      openssl('x509', '-req', '-in', file('request'), ...signer, '-days', '2', '-out', file('cert'));
      return pairIn(file);
    });
  return { ...own, issue };
}
