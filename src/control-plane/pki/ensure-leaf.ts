// One certificate: kept while it is good, made anew for the same key when it is due or no longer says the right thing.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { type Authority, issueLeaf, validForMs } from '../../pki/index.ts';
import type { Store } from '../cluster-runtime.ts';
import type { Leaf } from './leaves.ts';
import type { Pair } from './pki.ts';

export interface LeafState {
  /** When it is to be renewed (milliseconds). */
  readonly renewAt: number;
  readonly mark: string;
  /** Why it was made anew, if it was. */
  readonly renewed?: string;
}

interface Moment {
  readonly now: number;
  readonly lifetimeMs: number;
}

export async function ensureLeaf(
  store: Store,
  pair: Pair,
  leaf: Leaf,
  authority: Authority,
  moment: Moment,
): Promise<LeafState> {
  const lifetimeMs = Math.max(moment.lifetimeMs, leaf.leastLifeMs ?? 0);
  const found = { cert: await store.get(pair.cert), key: await store.get(pair.key) };
  const why = problemOf(found, leaf, authority, { now: moment.now, lifetimeMs });
  if (why === undefined) return stateOf(found.cert ?? '', authority, lifetimeMs);
  const made = await renew(found.key, leaf, authority, { now: moment.now, lifetimeMs });
  if (made.key !== undefined) await store.put(pair.key, made.key);
  await store.put(pair.cert, made.cert);
  return { ...stateOf(made.cert, authority, lifetimeMs), ...(found.cert === undefined ? {} : { renewed: why }) };
}

/**
 * The key stays: with one file to replace, nobody reads a certificate that does not fit its key. Removing the file of
 * the key makes both anew.
 */
async function renew(
  key: string | undefined,
  { subject, usage, dnsNames, ips }: Leaf,
  authority: Authority,
  { now, lifetimeMs }: Moment,
): Promise<{ readonly cert: string; readonly key?: string }> {
  const end = Math.min(now + lifetimeMs, endOf(authority.certificate));
  const validity = { ...validForMs(new Date(now), lifetimeMs), notAfter: new Date(end) };
  const usable = key !== undefined && isKey(key) ? { key } : {};
  const issued = await issueLeaf(authority, { subject, usage, dnsNames, ips, validity, ...usable });
  return { cert: issued.certificate, ...(usable.key === undefined ? { key: issued.key } : {}) };
}

function problemOf(
  { cert, key }: { readonly cert: string | undefined; readonly key: string | undefined },
  leaf: Leaf,
  authority: Authority,
  { now, lifetimeMs }: Moment,
): string | undefined {
  if (cert === undefined || key === undefined) return 'it was not there';
  const parsed = parse(cert);
  if (parsed === undefined || !isKey(key)) return 'it could not be read';
  if (!parsed.checkPrivateKey(createPrivateKey(key))) return 'it did not fit its key';
  if (!parsed.verify(new X509Certificate(authority.certificate).publicKey)) return 'its authority is a new one';
  if (parsed.subject !== subjectOf(leaf) || !sameNames(parsed, leaf)) return 'its names have changed';
  if (parsed.validFromDate.getTime() > now) return 'it was not valid yet';
  if (parsed.validToDate.getTime() - now > lifetimeMs) return 'it would live longer than it should';
  return dueAt(parsed, authority, lifetimeMs) <= now ? 'it was due' : undefined;
}

/** Two thirds into its life; one that lives as long as its authority cannot be bettered before both end. */
function dueAt(cert: X509Certificate, authority: Authority, lifetimeMs: number): number {
  const end = cert.validToDate.getTime();
  return end === endOf(authority.certificate) ? end : end - lifetimeMs / 3;
}

const subjectOf = ({ subject: { commonName, organization } }: Leaf): string =>
  [...[organization ?? []].flat().map((name) => `O=${name}`), `CN=${commonName}`].join('\n');

function sameNames(cert: X509Certificate, { dnsNames = [], ips = [] }: Leaf): boolean {
  const count = cert.subjectAltName?.split(', ').length ?? 0;
  return (
    count === dnsNames.length + ips.length &&
    dnsNames.every((name) => cert.checkHost(name, { subject: 'never', wildcards: false }) !== undefined) &&
    ips.every((ip) => cert.checkIP(ip) !== undefined)
  );
}

function stateOf(cert: string, authority: Authority, lifetimeMs: number): LeafState {
  const parsed = new X509Certificate(cert);
  return { renewAt: dueAt(parsed, authority, lifetimeMs), mark: parsed.serialNumber };
}

export const endOf = (cert: string): number => new X509Certificate(cert).validToDate.getTime();

function parse(cert: string): X509Certificate | undefined {
  try {
    return new X509Certificate(cert);
  } catch {
    return undefined;
  }
}

function isKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'ec';
  } catch {
    return false;
  }
}
