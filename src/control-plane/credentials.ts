// Credentials that are given to workers: tokens. Each ends by itself.
import { randomInt } from 'node:crypto';
import { assertLifetime } from '../core/lifetimes.ts';
import type { KubeClient } from '../kube/index.ts';
import { type Issued, issueServer, validForMs } from '../pki/index.ts';
import { type BootstrapToken, bootstrapTokenObject, kubeProxyAccount } from './bootstrap/joining.ts';
import { demoNodesAccount } from './bootstrap/rbac.ts';
import type { Store } from './cluster-runtime.ts';
import { konnectivityAccount } from './components/konnectivity.ts';
import { pkiRefs } from './pki/pki.ts';

/** What a node gets when it joins. */
export interface WorkerCredentials {
  /** PEM: whom to believe that it is the API server, or the konnectivity server. */
  readonly ca: string;
  /** Of the demo's nodes at the API server. */
  readonly user: { readonly token: string };
  /** With the audience of the konnectivity server. */
  readonly konnectivityToken: string;
  /** Of kube-proxy at the API server. */
  readonly kubeProxyToken: string;
  /** When the first of these ends (milliseconds). */
  readonly expiresAt: number;
}

const tokenMs = 60 * 60_000;

/** `ca` is that of the API server. */
export async function workerCredentials(client: KubeClient, ca: string, audience: string): Promise<WorkerCredentials> {
  const [user, konnectivity, kubeProxy] = await Promise.all([
    accountToken(client, demoNodesAccount, tokenMs),
    accountToken(client, konnectivityAccount, tokenMs, { audience }),
    accountToken(client, kubeProxyAccount, tokenMs),
  ]);
  return {
    ca,
    user: { token: user.token },
    konnectivityToken: konnectivity.token,
    kubeProxyToken: kubeProxy.token,
    expiresAt: Math.min(user.expiresAt, konnectivity.expiresAt, kubeProxy.expiresAt),
  };
}

export interface AccountToken {
  readonly token: string;
  readonly expiresAt: number;
}

interface TokenFor {
  /** @default the API server itself */
  readonly audience?: string;
  /** It names this node, and the API server takes it for as long as the node is there. */
  readonly node?: { readonly name: string; readonly uid?: string };
}

export async function accountToken(
  client: KubeClient,
  account: { readonly namespace: string; readonly name: string },
  ttlMs: number,
  { audience, node }: TokenFor = {},
): Promise<AccountToken> {
  const spec = {
    expirationSeconds: Math.round(ttlMs / 1000),
    audiences: audience === undefined ? [] : [audience],
    ...(node === undefined ? {} : { boundObjectRef: { apiVersion: 'v1', kind: 'Node', ...node } }),
  };
  const path = `/api/v1/namespaces/${account.namespace}/serviceaccounts/${account.name}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  const { status } = await client.post<{ status: { token: string; expirationTimestamp: string } }>(path, body);
  return { token: status.token, expiresAt: Date.parse(status.expirationTimestamp) };
}

const kubeletDayMs = 24 * 3_600_000;

/**
 * What the kubelet of demo nodes serves with. It is no node to the API server, so it cannot ask for one; it gets another with
 * its next credentials.
 */
export async function kubeletCertificate(store: Store, address: string, now: number): Promise<Issued> {
  const [certificate = '', key = ''] = await Promise.all(
    [pkiRefs.kubeletCa.cert, pkiRefs.kubeletCa.key].map(store.get),
  );
  return issueServer({ certificate, key }, [address], validForMs(new Date(now), kubeletDayMs));
}

/** kubeadm's kind: six letters, a dot, sixteen more. */
export async function createBootstrapToken(client: KubeClient, now: number, ttlMs: number): Promise<string> {
  assertLifetime('join', ttlMs);
  const token: BootstrapToken = { id: letters(6), secret: letters(16), expiresAt: now + ttlMs };
  await client.apply(bootstrapTokenObject(token));
  return `${token.id}.${token.secret}`;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
const letters = (count: number): string =>
  Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('');
