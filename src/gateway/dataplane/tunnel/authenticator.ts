// Authentication and authorization of tunnels. Credentials come first: an unauthenticated peer does not learn which
// authorities exist.

import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { RefusalCode } from '../../refusals.ts';
import type { Target } from '../../snapshot/cluster-entry.ts';
import type { SnapshotChange } from '../../snapshot/snapshot.ts';
import type { TunnelHost } from '../interfaces.ts';
import { TokenBucket } from '../token-bucket.ts';
import type { TunnelPeer } from './tunnel.ts';
import { TunnelTokens } from './tunnel-tokens.ts';

/** Of tokens that were not seen before, by one worker: about a tenth of its time. */
const signaturesPerSecond = 1000;

type TunnelSettings = SnapshotChange['settings']['tunnel'];

/** Who is at the other end: an agent of a cluster, and of which node where its token says so. */
export interface TunnelIdentity {
  readonly cluster: string;
  readonly node?: string;
  /** Of its token (milliseconds). */
  readonly issuedAt?: number;
}

/** Where somebody may go, or why not. The identity is absent where nobody is asked for credentials, or they are not good. */
export type Admission =
  | { readonly target: Target; readonly identity?: TunnelIdentity; readonly refusal?: undefined }
  | Refused;
interface Refused {
  readonly refusal: RefusalCode;
  readonly identity?: TunnelIdentity;
  readonly target?: undefined;
}
type Authenticated =
  | { readonly identity?: TunnelIdentity; readonly refusal?: undefined; readonly target?: undefined }
  | Refused;

/** Whose agent it is, by good credentials; where none are asked for, by what it was admitted to. */
export const ownerOf = ({ identity, target }: Admission | Authenticated): string | undefined =>
  identity?.cluster ?? target?.cluster.name;

export class Authenticator {
  readonly #host: TunnelHost;
  readonly #now: () => number;
  readonly #tokens: TunnelTokens;
  #authentication: TunnelSettings['authentication'] = 'token';
  authorities: readonly string[] = [];

  constructor(host: TunnelHost, now: () => number, clock: () => number) {
    this.#host = host;
    this.#now = now;
    const signatures = new TokenBucket(signaturesPerSecond, clock());
    this.#tokens = new TunnelTokens(() => signatures.take(clock()));
  }

  get authentication(): TunnelSettings['authentication'] {
    return this.#authentication;
  }

  /** True where tokens may have been taken back that were good. */
  apply(change: SnapshotChange): boolean {
    const { authentication, publicKeys = [], clientAuthorities = [] } = change.settings.tunnel;
    this.#authentication = authentication;
    if (!sameList(clientAuthorities, this.authorities)) this.authorities = clientAuthorities;
    return this.#tokens.apply(publicKeys, change);
  }

  /** Where it may go, or why not. */
  admit(peer: TunnelPeer, authority: string, token: string | undefined): Admission {
    const known = this.authenticate(peer, token);
    if (known.refusal !== undefined) return known;
    if (authority === '') return { ...known, refusal: 'no-authority' };
    const target = this.#host.byAuthority(authority);
    if (target === undefined) return { ...known, refusal: 'unknown-authority' };
    const { identity } = known;
    if (identity === undefined) return { target };
    return identity.cluster === target.cluster.name ? { target, identity } : { identity, refusal: 'wrong-cluster' };
  }

  /** Whether its credentials are good; for what is another question. */
  authenticate(peer: TunnelPeer, token: string | undefined): Authenticated {
    if (this.#authentication === 'none') return anybody;
    if (!peer.secure) return refused('not-tls');
    return this.#authentication === 'token' ? this.#byToken(token) : this.#byCertificate(peer);
  }

  /** By its certificate, before it has sent a request. */
  isAuthenticated(peer: TunnelPeer): boolean {
    return this.#authentication === 'certificate' && this.#byCertificate(peer).refusal === undefined;
  }
  /** Whether only an authenticated peer gets such an answer. */
  provesAuthenticated({ refusal }: Admission): boolean {
    return refusal === undefined || (this.#authentication !== 'none' && afterCredentials.has(refusal));
  }

  /** Of somebody who was let in: why not any more, because the token was taken back. */
  revocationOf({ issuedAt, ...identity }: TunnelIdentity): RefusalCode | undefined {
    if (this.#authentication !== 'token' || issuedAt === undefined) return undefined;
    return this.#tokens.refusalOf({ ...identity, issuedAt });
  }

  #byToken(token: string | undefined): Authenticated {
    if (token === undefined || token === '') return refused('no-credentials');
    return this.#tokens.read(token, this.#now());
  }
  #byCertificate({ identity }: TunnelPeer): Authenticated {
    if (identity === undefined) return refused('bad-certificate');
    const good = identity.expiresAt > this.#now() && isStillTrusted(identity, this.authorities);
    return good ? { identity: { cluster: identity.cluster } } : refused('bad-certificate');
  }
}

/** Who hears this has shown good credentials. */
const afterCredentials: ReadonlySet<RefusalCode> = new Set(['no-authority', 'unknown-authority', 'wrong-cluster']);

const anybody: Authenticated = {};
const refused = (refusal: RefusalCode): Refused => ({ refusal });

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
