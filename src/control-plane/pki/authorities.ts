// The three authorities of a control plane. They are made once: a new one means new kubeconfigs and new workers, so that
// is never done behind anybody's back.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import { type Authority, createAuthority, validFor } from '../../pki/certificates.ts';
import { readPrivate, writePrivate } from '../private-files.ts';
import { endOf } from './ensure-leaf.ts';
import type { AuthorityName, Notice, Pair } from './pki.ts';

const lifeDays = 3650;
const warningMs = 365 * 24 * 3_600_000;

const titles: Readonly<Record<AuthorityName, string>> = {
  ca: 'kubernetes',
  etcdCa: 'etcd',
  frontProxyCa: 'front-proxy',
};

/** `isNew`: nothing was signed here yet, so what a killed start left behind may be replaced. */
export async function ensureAuthority(
  files: Pair,
  name: AuthorityName,
  options: { readonly cluster: string; readonly now: number; readonly isNew: boolean },
): Promise<Authority> {
  const [certificate, key] = [readPrivate(files.cert), readPrivate(files.key)];
  if (certificate !== undefined && key !== undefined) return checked({ certificate, key }, files, options.now);
  if ((certificate !== undefined || key !== undefined) && !options.isNew) {
    throw halfPair(files, certificate === undefined ? files.cert : files.key);
  }
  const made = await createAuthority(
    `${titles[name]}-ca of ${options.cluster}`,
    validFor(new Date(options.now), lifeDays),
  );
  writePrivate(files.key, made.key);
  writePrivate(files.cert, made.certificate);
  return made;
}

export function noticesOf(files: Pair, { certificate }: Authority, now: number): Notice[] {
  const left = endOf(certificate) - now;
  if (left > warningMs) return [];
  const day = new Date(endOf(certificate)).toISOString().slice(0, 10);
  const next = 'plan a day for a new one: every kubeconfig and every worker must be given it';
  return [{ level: 'warn', message: `the authority ${path.basename(files.cert)} ends on ${day}; ${next}` }];
}

function checked(authority: Authority, files: Pair, now: number): Authority {
  if (!fits(authority)) {
    throw new CausewayError('CW-PKI-PAIR', `${files.cert} and ${files.key} do not belong together`, bringBack);
  }
  if (new X509Certificate(authority.certificate).validFromDate.getTime() > now) throw clockBehind(files, now);
  if (endOf(authority.certificate) > now) return authority;
  throw new CausewayError(
    'CW-CA-EXPIRED',
    `the authority ${files.cert} ended on ${new Date(endOf(authority.certificate)).toISOString().slice(0, 10)}`,
    'check the clock of this machine; if it is right, move both files of the authority away and start again: a new one is made, and every kubeconfig and every worker must be given it',
  );
}

const clockBehind = (files: Pair, now: number): CausewayError =>
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

const bringBack =
  'bring the missing file back from a backup, or move both away: a new authority is made, and every kubeconfig and every worker must be given it';
const halfPair = (files: Pair, missing: string): CausewayError =>
  new CausewayError(
    'CW-PKI-PAIR',
    `${path.dirname(files.cert)} has one half of an authority, but not ${path.basename(missing)}`,
    bringBack,
  );
