// Tokens at the tunnel: whose they are, and whether they were taken back.
import { sameJson } from '../../../core/same-json.ts';
import { type TokenIdentity, TokenVerifier } from '../../../net/index.ts';
import type { RefusalCode } from '../../refusals.ts';
import type { SnapshotChange, SnapshotCluster } from '../../snapshot/snapshot.ts';

export type TokenReading =
  | { readonly identity: TokenIdentity; readonly refusal?: undefined }
  /** With an identity where the signature was right. */
  | { readonly identity?: TokenIdentity; readonly refusal: RefusalCode };

export class TunnelTokens {
  // It remembers good tokens, so it stays, and keys come and go.
  readonly #verifier: TokenVerifier;
  readonly #authorities = new Map<string, SnapshotCluster['tokenAuthorities']>();
  readonly #revocations = new Map<string, Revocations>();
  #publicKeys: readonly string[] = [];

  constructor(mayVerify: () => boolean) {
    this.#verifier = new TokenVerifier({ mayVerify });
  }

  /** True where tokens may have been taken back that were good. */
  apply(publicKeys: readonly string[], { changed, removed }: Pick<SnapshotChange, 'changed' | 'removed'>): boolean {
    if (!sameJson(publicKeys, this.#publicKeys)) this.#verifier.trustSeed(publicKeys);
    this.#publicKeys = publicKeys;
    for (const name of removed) this.#applyCluster(name, undefined);
    let revoked = false;
    for (const name in changed) revoked = this.#applyCluster(name, changed[name]) || revoked;
    return revoked;
  }

  #applyCluster(name: string, cluster: SnapshotCluster | undefined): boolean {
    const authorities = cluster?.tokenAuthorities;
    if (!sameJson(authorities, this.#authorities.get(name))) {
      this.#verifier.trustCluster(name, authorities);
      if (authorities === undefined) this.#authorities.delete(name);
      else this.#authorities.set(name, authorities);
    }
    const revocations = cluster && revocationsOf(cluster);
    if (revocations === undefined) this.#revocations.delete(name);
    else this.#revocations.set(name, revocations);
    return revocations !== undefined;
  }

  read(token: string, now: number): TokenReading {
    const verdict = this.#verifier.verify(token, now);
    if (!verdict.ok) return verdict;
    const refusal = this.refusalOf(verdict.claims);
    return refusal === undefined ? { identity: verdict.claims } : { identity: verdict.claims, refusal };
  }

  /** Of somebody whose token was good: whether it was taken back. */
  refusalOf({ cluster, node, issuedAt }: TokenIdentity): 'evicted-node' | 'revoked-token' | undefined {
    const revocations = this.#revocations.get(cluster);
    if (revocations === undefined) return undefined;
    if (node === undefined) return issuedAt < revocations.unboundFrom ? 'revoked-token' : undefined;
    return issuedAt < (revocations.nodes.get(node) ?? 0) ? 'evicted-node' : undefined;
  }
}

/** In milliseconds: tokens that were issued before are refused. */
interface Revocations {
  readonly nodes: ReadonlyMap<string, number>;
  readonly unboundFrom: number;
}

function revocationsOf({ evictedNodes = [], unboundTokensFrom = 0 }: SnapshotCluster): Revocations | undefined {
  if (evictedNodes.length === 0 && unboundTokensFrom === 0) return undefined;
  const nodes = new Map<string, number>();
  // Of several about one node the strictest counts.
  for (const { name, issuedBefore = Number.POSITIVE_INFINITY } of evictedNodes)
    nodes.set(name, Math.max(issuedBefore * 1000, nodes.get(name) ?? 0));
  return { nodes, unboundFrom: unboundTokensFrom * 1000 };
}
