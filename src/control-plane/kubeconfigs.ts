// Kubeconfigs of people. The certificate names the person (CN) and one group (O) that nobody else has. What that group may
// do is one ClusterRoleBinding: with it the right is listed, and gone when it is deleted (docs/decisions/0040).
import { hash, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertLifetime, usualMs } from '../core/lifetimes.ts';
import type { KubeClient, KubeObject } from '../kube/index.ts';
import { issueClient, validForMs } from '../pki/index.ts';
import { clusterBinding, formerBindings, group, kubeconfigRoles, type Role } from './bootstrap/rbac.ts';
import type { Store, ValueName } from './cluster-runtime.ts';
import type { Access } from './control-plane.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { pkiRefs } from './pki/pki.ts';

export interface KubeconfigRequest {
  /** Whose it is, as the API knows them. */
  readonly person: string;
  readonly role: Role;
  /** @default that of a working day */
  readonly ttlMs?: number | undefined;
}

/** One that was given away and has not ended. */
export interface IssuedKubeconfig {
  readonly id: string;
  readonly person: string;
  readonly role: Role;
  /** Milliseconds. */
  readonly createdAt: number;
  readonly endsAt: number;
}

export interface NewKubeconfig extends IssuedKubeconfig {
  readonly text: string;
}

const bindingsPath = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const roleLabel = 'causeway.dev/kubeconfig';
const personAnnotation = 'causeway.dev/person';
const createdAnnotation = 'causeway.dev/created';
const expiresAnnotation = 'causeway.dev/expires';
const prefix = 'causeway:kubeconfig:';
/** Of one person in one cluster; the oldest ends when there is one more. Each request looks through all bindings. */
export const mostOfOnePerson = 50;

export interface IssueOptions extends KubeconfigRequest {
  readonly cluster: string;
  readonly access: Access;
  readonly now: number;
}

export async function issueKubeconfig(store: Store, client: KubeClient, request: IssueOptions): Promise<NewKubeconfig> {
  const { person, role, now, cluster, access, ttlMs = usualMs('kubeconfig') } = request;
  assertLifetime('kubeconfig', ttlMs);
  const issued: IssuedKubeconfig = { id: newId(), person, role, createdAt: now, endsAt: now + ttlMs };
  const authority = { certificate: await needed(store, pkiRefs.ca.cert), key: await needed(store, pkiRefs.ca.key) };
  const subject = { commonName: userName(person), organization: `${prefix}${issued.id}` };
  const { certificate, key } = await issueClient(authority, subject, validForMs(new Date(now), ttlMs));
  await makeRoom(client, person, now);
  await client.apply(bindingOf(issued));
  await untilAuthorizer(client, issued.id, true);
  const names = { cluster, user: `${cluster}-${role}` };
  return { ...issued, text: kubeconfigText(access, authority.certificate, { cert: certificate, key }, names) };
}

/** Never one of Kubernetes' own: a provider of identities may let people choose "system:admin" as their name. */
export function userName(person: string): string {
  const name = `causeway:${person}`;
  // A longer common name is not allowed (RFC 5280).
  return Buffer.byteLength(name) <= 64 ? name : `${cut(name, 47)}~${hash('sha256', person).slice(0, 16)}`;
}

/** The first bytes, of whole characters. */
function cut(text: string, bytes: number): string {
  const signs = [...text];
  while (Buffer.byteLength(signs.join('')) > bytes) signs.pop();
  return signs.join('');
}

const bindingOf = ({ id, person, role, createdAt, endsAt }: IssuedKubeconfig): KubeObject => {
  const name = `${prefix}${id}`;
  const annotations = {
    [personAnnotation]: person,
    [createdAnnotation]: new Date(createdAt).toISOString(),
    [expiresAnnotation]: new Date(endsAt).toISOString(),
  };
  const metadata = { name, labels: { [roleLabel]: role }, annotations };
  return { ...clusterBinding(name, kubeconfigRoles[role], group(name)), metadata };
};

/** Oldest first; those that ended are not among them. */
export async function listKubeconfigs(client: KubeClient, now: number): Promise<readonly IssuedKubeconfig[]> {
  const all = await readAll(client);
  return all.filter(({ endsAt }) => endsAt > now).sort((a, b) => a.createdAt - b.createdAt);
}

async function readAll(client: KubeClient): Promise<IssuedKubeconfig[]> {
  const bindings = await client.list(`${bindingsPath}?labelSelector=${encodeURIComponent(roleLabel)}`);
  return bindings.flatMap(({ metadata }) => {
    if (!metadata.name.startsWith(prefix)) return [];
    const annotations = (metadata.annotations ?? {}) as Readonly<Record<string, string | undefined>>;
    return {
      id: metadata.name.slice(prefix.length),
      person: annotations[personAnnotation] ?? '',
      role: metadata.labels?.[roleLabel] === 'admin' ? ('admin' as const) : ('viewer' as const),
      createdAt: Date.parse(annotations[createdAnnotation] ?? '') || 0,
      endsAt: Date.parse(annotations[expiresAnnotation] ?? '') || 0,
    };
  });
}

/** False where there is none. Requests from now on are refused; watches that are open end by themselves. */
export async function revokeKubeconfig(client: KubeClient, id: string): Promise<boolean> {
  const existed = await removeBinding(client, `${prefix}${id}`);
  if (existed) await untilAuthorizer(client, id, false);
  return existed;
}

const removeBinding = (client: KubeClient, name: string): Promise<boolean> =>
  client.remove(`${bindingsPath}/${encodeURIComponent(name)}`);

const [pollMs, longestMs] = [50, 5_000];

/** The authorizer follows the bindings by a watch: a moment later it knows. A kubeconfig that is given away works. */
async function untilAuthorizer(client: KubeClient, id: string, allows: boolean): Promise<void> {
  const spec = { groups: [`${prefix}${id}`], resourceAttributes: { verb: 'list', resource: 'namespaces' } };
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
  for (const until = performance.now() + longestMs; performance.now() < until; await sleep(pollMs)) {
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    const { status } = await client.post<{ readonly status: { readonly allowed: boolean } }>(path, review);
    if (status.allowed === allows) return;
  }
}

/** What ended, and the rights of certificates from before they had names. */
export async function removeEnded(client: KubeClient, now: number): Promise<void> {
  const ended = (await readAll(client)).filter(({ endsAt }) => endsAt <= now);
  const names = [...ended.map(({ id }) => `${prefix}${id}`), ...formerBindings];
  await Promise.all(names.map((name) => removeBinding(client, name)));
}

async function makeRoom(client: KubeClient, person: string, now: number): Promise<void> {
  const theirs = (await listKubeconfigs(client, now)).filter((one) => one.person === person);
  const tooMany = theirs.slice(0, Math.max(0, theirs.length - mostOfOnePerson + 1));
  await Promise.all(tooMany.map(({ id }) => revokeKubeconfig(client, id)));
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
const newId = (): string => Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('');

async function needed(store: Store, value: ValueName): Promise<string> {
  const text = await store.get(value);
  if (text === undefined) throw new Error(`${store.where(value)} is missing`);
  return text;
}
