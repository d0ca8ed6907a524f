// Authentication and authorization of tunnels. Credentials come first: an unauthenticated peer does not learn which
// authorities exist.

import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { createVerifier, type TokenVerifier } from '../../../net/index.ts';
import type { RefusalCode } from '../../refusals.ts';
import type { Target } from '../../snapshot/cluster-entry.ts';
import type { SnapshotChange } from '../../snapshot/snapshot.ts';
import type { TunnelHost } from '../interfaces.ts';
import { TokenBucket } from '../token-bucket.ts';
import type { TunnelPeer } from './tunnel.ts';

/** Of tokens that were not seen before, by one worker: about a tenth of its time. */
const signaturesPerSecond = 1000;

type TunnelSettings = SnapshotChange['settings']['tunnel'];

export class Authenticator {
  readonly #host: TunnelHost;
  readonly #now: () => number;
  readonly #mayVerify: () => boolean;
  #authentication: TunnelSettings['authentication'] = 'token';
  #keys: readonly string[] = [];
  #verify: TokenVerifier = createVerifier([]);
  authorities: readonly string[] = [];

  constructor(host: TunnelHost, now: () => number, clock: () => number) {
    this.#host = host;
    this.#now = now;
    const signatures = new TokenBucket(signaturesPerSecond, clock());
    this.#mayVerify = () => signatures.take(clock());
  }

  get authentication(): TunnelSettings['authentication'] {
    return this.#authentication;
  }

  apply({ authentication, publicKeys = [], clientAuthorities = [] }: TunnelSettings): void {
    this.#authentication = authentication;
    // The verifier remembers good tokens, so it stays as long as its keys do.
    if (!sameList(publicKeys, this.#keys)) this.#verify = createVerifier(publicKeys, { mayVerify: this.#mayVerify });
    this.#keys = publicKeys;
    if (!sameList(clientAuthorities, this.authorities)) this.authorities = clientAuthorities;
  }

  /** Where it may go, or why not. */
  admit(peer: TunnelPeer, authority: string, token: string | undefined): Target | RefusalCode {
    const cluster = this.#clusterOf(peer, token);
    if (!cluster.ok) return cluster.refusal;
    if (authority === '') return 'no-authority';
    const target = this.#host.byAuthority(authority);
    if (target === undefined) return 'unknown-authority';
    return cluster.name === undefined || cluster.name === target.cluster.name ? target : 'wrong-cluster';
  }

  /** Whether its credentials are good; for what is another question. */
  authenticate(peer: TunnelPeer, token: string | undefined): RefusalCode | undefined {
    const cluster = this.#clusterOf(peer, token);
    return cluster.ok ? undefined : cluster.refusal;
  }

  /** By its certificate, before it has sent a request. */
  isAuthenticated(peer: TunnelPeer): boolean {
    return this.#authentication === 'certificate' && this.#byCertificate(peer).ok;
  }
  /** Whether only an authenticated peer gets such a verdict. */
  provesAuthenticated(verdict: Target | RefusalCode): boolean {
    return typeof verdict !== 'string' || (this.#authentication !== 'none' && afterCredentials.has(verdict));
  }

  #clusterOf(peer: TunnelPeer, token: string | undefined): AuthenticationResult {
    if (this.#authentication === 'none') return anybody;
    if (!peer.secure) return refused('not-tls');
    return this.#authentication === 'token' ? this.#byToken(token) : this.#byCertificate(peer);
  }
  #byToken(token: string | undefined): AuthenticationResult {
    if (token === undefined || token === '') return refused('no-credentials');
    const verdict = this.#verify(token, this.#now());
    return verdict.ok ? { ok: true, name: verdict.cluster } : refused(verdict.refusal);
  }
  #byCertificate({ identity }: TunnelPeer): AuthenticationResult {
    if (identity === undefined) return refused('bad-certificate');
    const good = identity.expiresAt > this.#now() && isStillTrusted(identity, this.authorities);
    return good ? { ok: true, name: identity.cluster } : refused('bad-certificate');
  }
}

/** Who hears this has shown good credentials. */
const afterCredentials: ReadonlySet<RefusalCode> = new Set(['no-authority', 'unknown-authority', 'wrong-cluster']);

type AuthenticationResult =
  | { readonly ok: true; readonly name?: string }
  | { readonly ok: false; readonly refusal: RefusalCode };
const anybody: AuthenticationResult = { ok: true };
const refused = (refusal: RefusalCode): AuthenticationResult => ({ ok: false, refusal });

const sameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

// Client certificates of agents: who they are for, and whether their authority is still one of ours.

/** Organisation in the subject; without it a certificate of the same authority is for something else. */
export const tunnelOrganisation = 'causeway:tunnel';

export interface ClientIdentity {
  readonly cluster: string;
  readonly expiresAt: number;
  readonly certificate: X509Certificate;
  /** Of the authorities that it was last checked with. */
  checkedWith: readonly string[];
}

/** Undefined for none, and for one that TLS did not accept. */
export function identityOf(socket: TLSSocket, authorities: readonly string[]): ClientIdentity | undefined {
  const { raw } = socket.getPeerCertificate();
  if (!socket.authorized || raw === undefined) return undefined;
  const certificate = new X509Certificate(raw);
  const { O: organisation, CN: cluster } = certificate.toLegacyObject().subject as unknown as Record<string, unknown>;
  if (organisation !== tunnelOrganisation || typeof cluster !== 'string') return undefined;
  return { cluster, expiresAt: certificate.validToDate.getTime(), certificate, checkedWith: authorities };
}

/** TLS has judged at the handshake; when authorities have changed since, the signature is looked at again. */
export function isStillTrusted(identity: ClientIdentity, authorities: readonly string[]): boolean {
  if (identity.checkedWith === authorities) return true;
  if (!authorities.some((pem) => signedBy(identity.certificate, pem))) return false;
  identity.checkedWith = authorities;
  return true;
}

function signedBy(certificate: X509Certificate, pem: string): boolean {
  const authority = new X509Certificate(pem);
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}
