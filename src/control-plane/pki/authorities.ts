// The authorities of a control plane. They are made once: a new one means new kubeconfigs and new workers, so that
// is never done behind anybody's back.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { CausewayError } from '../../core/errors.ts';
import { type Authority, createAuthority, validFor } from '../../pki/index.ts';
import type { Store } from '../cluster-runtime.ts';
import { endOf } from './ensure-leaf.ts';
import { type AuthorityName, type Notice, pkiRefs } from './pki.ts';

/** Where its two halves are, for people. */
interface Files {
  readonly cert: string;
  readonly key: string;
}
const lastPart = (file: string): string => file.slice(file.lastIndexOf('/') + 1);

const lifeDays = 3650;
const warningMs = 365 * 24 * 3_600_000;

const titles: Readonly<Record<AuthorityName, string>> = {
  ca: 'kubernetes',
  etcdCa: 'etcd',
  frontProxyCa: 'front-proxy',
  kubeletCa: 'kubelet',
};

/** `isNew`: nothing was signed here yet, so what a killed start left behind may be replaced. */
export async function ensureAuthority(
  store: Store,
  name: AuthorityName,
  options: { readonly cluster: string; readonly now: number; readonly isNew: boolean },
): Promise<Authority> {
  const pair = pkiRefs[name];
  const files = { cert: store.where(pair.cert), key: store.where(pair.key) };
  const [certificate, key] = [await store.get(pair.cert), await store.get(pair.key)];
  if (certificate !== undefined && key !== undefined) return checked({ certificate, key }, files, options.now);
  if ((certificate !== undefined || key !== undefined) && !options.isNew) {
    throw halfPair(files, certificate === undefined ? files.cert : files.key);
  }
  const made = await createAuthority(
    `${titles[name]}-ca of ${options.cluster}`,
    validFor(new Date(options.now), lifeDays),
  );
  await store.put(pair.key, made.key);
  await store.put(pair.cert, made.certificate);
  return made;
}

export function noticesOf(file: string, { certificate }: Authority, now: number): Notice[] {
  const left = endOf(certificate) - now;
  if (left > warningMs) return [];
  const day = new Date(endOf(certificate)).toISOString().slice(0, 10);
  const next = 'plan a day for a new one: every kubeconfig and every worker must be given it';
  return [{ level: 'warn', message: `the authority ${lastPart(file)} ends on ${day}; ${next}` }];
}

function checked(authority: Authority, files: Files, now: number): Authority {
  if (!fits(authority)) {
    throw new CausewayError('CW-PKI-PAIR', `${files.cert} and ${files.key} do not belong together`, restoreFix(files));
  }
  if (new X509Certificate(authority.certificate).validFromDate.getTime() > now) throw clockBehind(files, now);
  if (endOf(authority.certificate) > now) return authority;
  throw new CausewayError(
    'CW-CA-EXPIRED',
    `the authority ${files.cert} ended on ${new Date(endOf(authority.certificate)).toISOString().slice(0, 10)}`,
    `check the clock of this machine; if it is right, ${newOne(files)}`,
  );
}

const clockBehind = (files: Files, now: number): CausewayError =>
  new CausewayError(
    'CW-CLOCK',
    `by the clock of this machine it is ${new Date(now).toISOString()}, before the authority ${files.cert} was made`,
    'set the clock (timedatectl shows it); nobody trusts a certificate that is not valid yet',
  );

function fits({ certificate, key }: Authority): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** The name that says that nobody wants it any more, see refuse-new-keys.ts. */
const newOne = ({ cert, key }: Files): string =>
  `rename ${lastPart(cert)} to ${lastPart(cert).replace(/\.crt$/, '.retired')}, move ${lastPart(key)} away, and start again: ` +
  'a new authority is made, and every kubeconfig and every worker must be given it';

const restoreFix = (files: Files): string => `bring the missing file back from a backup, or ${newOne(files)}`;
const halfPair = (files: Files, missing: string): CausewayError =>
  new CausewayError(
    'CW-PKI-PAIR',
    `${files.cert.slice(0, files.cert.lastIndexOf('/'))} has one half of an authority, but not ${lastPart(missing)}`,
    restoreFix(files),
  );
