// Credentials that are given away: to people as kubeconfigs, to workers as tokens. Each ends by itself.
import { randomInt } from 'node:crypto';
import type { KubeClient } from '../kube/index.ts';
import { issueClient, validForMs } from '../pki/index.ts';
import { type BootstrapToken, bootstrapTokenObject, kubeProxyAccount } from './bootstrap/joining.ts';
import { demoNodesAccount, kubeconfigGroups, type Role } from './bootstrap/rbac.ts';
import type { Store, ValueName } from './cluster-runtime.ts';
import { konnectivityAccount } from './components/konnectivity.ts';
import type { Access } from './control-plane.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { year } from './pki/ensure-pki.ts';
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
    accountToken(client, konnectivityAccount, tokenMs, audience),
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

interface AccountToken {
  readonly token: string;
  readonly expiresAt: number;
}

export async function accountToken(
  client: KubeClient,
  account: { readonly namespace: string; readonly name: string },
  ttlMs: number,
  audience?: string,
): Promise<AccountToken> {
  const spec = { expirationSeconds: Math.round(ttlMs / 1000), audiences: audience === undefined ? [] : [audience] };
  const path = `/api/v1/namespaces/${account.namespace}/serviceaccounts/${account.name}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  const { status } = await client.post<{ status: { token: string; expirationTimestamp: string } }>(path, body);
  return { token: status.token, expiresAt: Date.parse(status.expirationTimestamp) };
}

/** kubeadm's kind: six letters, a dot, sixteen more. */
export async function createBootstrapToken(client: KubeClient, now: number, ttlMs: number): Promise<string> {
  const token: BootstrapToken = { id: letters(6), secret: letters(16), expiresAt: now + ttlMs };
  await client.apply(bootstrapTokenObject(token));
  return `${token.id}.${token.secret}`;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
const letters = (count: number): string =>
  Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('');

export interface KubeconfigRequest {
  readonly cluster: string;
  readonly role: Role;
  readonly access: Access;
  readonly now: number;
  readonly ttlMs?: number | undefined;
}

export async function kubeconfigFor(store: Store, request: KubeconfigRequest): Promise<string> {
  const { ca } = pkiRefs;
  const authority = { certificate: await needed(store, ca.cert), key: await needed(store, ca.key) };
  const subject = { commonName: `causeway:${request.role}`, organization: kubeconfigGroups[request.role] };
  const { certificate, key } = await issueClient(
    authority,
    subject,
    validForMs(new Date(request.now), request.ttlMs ?? year),
  );
  const names = { cluster: request.cluster, user: `${request.cluster}-${request.role}` };
  return kubeconfigText(request.access, authority.certificate, { cert: certificate, key }, names);
}

async function needed(store: Store, value: ValueName): Promise<string> {
  const text = await store.get(value);
  if (text === undefined) throw new Error(`${store.where(value)} is missing`);
  return text;
}
