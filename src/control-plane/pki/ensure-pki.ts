// All keys and certificates of one control plane, made where they are missing and renewed where they are due.
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Authority } from '../../pki/index.ts';
import type { ClusterRuntime, Store } from '../cluster-runtime.ts';
import { readClusterState } from '../cluster-state.ts';
import type { ControlPlaneInput } from '../control-plane.ts';
import { ensureAuthority, noticesOf } from './authorities.ts';
import { ensureLeaf, type LeafState } from './ensure-leaf.ts';
import { type Leaf, leavesOf } from './leaves.ts';
import {
  type AuthorityName,
  authorityNames,
  type ControlPlanePki,
  type LeafName,
  type Notice,
  pkiRefs,
} from './pki.ts';
import { refuseNewKeys } from './refuse-new-keys.ts';

export interface PkiOptions {
  /** The clock (milliseconds). */
  readonly now: () => number;
  /** Of certificates; authorities live ten years. @default a year */
  readonly lifetimeMs?: number;
}

export const year = 365 * 24 * 3_600_000;

export async function ensurePki(
  input: Pick<ControlPlaneInput, 'cluster' | 'certificates'>,
  { store, namesOf, hasData }: Pick<ClusterRuntime, 'store' | 'namesOf' | 'hasData'>,
  { now, lifetimeMs = year }: PkiOptions,
): Promise<ControlPlanePki> {
  await refuseNewKeys(input.cluster, { store, hasData });
  const moment = { now: now(), lifetimeMs };
  const verifies = (await readClusterState({ store, hasData }))?.verifiesKubelets === true;
  const authorities = await ensureAuthorities(store, { cluster: input.cluster, now: moment.now, verifies });
  await ensureServiceAccountKeys(store);
  await ensureEncryption(store);
  const leaves = Object.entries(leavesOf(input, namesOf)) as [LeafName, Leaf][];
  const states = {} as Record<LeafName, LeafState>;
  for (const [name, leaf] of leaves)
    states[name] = await ensureLeaf(store, pkiRefs[name], leaf, authorities[leaf.authority], moment);
  const notices = [...endings(store, authorities, moment.now), ...renewals(states)];
  const tokenKeys = (await store.get(pkiRefs.serviceAccount.publicKey)) ?? '';
  return { own: await ownClient(store), tokenKeys, ...summary(states), notices };
}

async function ownClient(store: Store): Promise<ControlPlanePki['own']> {
  const { ca, internal } = pkiRefs;
  const [authority = '', cert = '', key = ''] = await Promise.all(
    [ca.cert, internal.cert, internal.key].map(store.get),
  );
  return { ca: authority, cert, key };
}

type Authorities = Readonly<Record<AuthorityName, Authority>>;

async function ensureAuthorities(
  store: Store,
  { cluster, now, verifies }: { readonly cluster: string; readonly now: number; readonly verifies: boolean },
): Promise<Authorities> {
  const options = { cluster, now, isNew: !(await store.has(pkiRefs.etcd.cert)) };
  return {
    ca: await ensureAuthority(store, 'ca', options),
    etcdCa: await ensureAuthority(store, 'etcdCa', options),
    frontProxyCa: await ensureAuthority(store, 'frontProxyCa', options),
    // A cluster from before gets one later.
    kubeletCa: await ensureAuthority(store, 'kubeletCa', { ...options, isNew: options.isNew || !verifies }),
  };
}

/** The private half is the one that counts; the public one follows from it. */
async function ensureServiceAccountKeys(store: Store): Promise<void> {
  const { privateKey, publicKey } = pkiRefs.serviceAccount;
  const found = await store.get(privateKey);
  const key =
    found === undefined ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : createPrivateKey(found);
  if (found === undefined) await store.put(privateKey, key.export({ type: 'pkcs8', format: 'pem' }).toString());
  else if (await store.has(publicKey)) return;
  await store.put(publicKey, createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString());
}

/** Written once: without this key nobody reads the secrets again. */
async function ensureEncryption(store: Store): Promise<void> {
  if ((await store.get(pkiRefs.encryption)) !== undefined) return;
  const keys = [{ name: 'key1', secret: randomBytes(32).toString('base64') }];
  const configuration = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [{ resources: ['secrets'], providers: [{ secretbox: { keys } }, { identity: {} }] }],
  };
  await store.put(pkiRefs.encryption, `${JSON.stringify(configuration, undefined, 2)}\n`);
}

function summary(states: Readonly<Record<LeafName, LeafState>>): Pick<ControlPlanePki, 'renewAt' | 'marks'> {
  const marks = Object.fromEntries(Object.entries(states).map(([name, { mark }]) => [name, mark]));
  return {
    renewAt: Math.min(...Object.values(states).map(({ renewAt }) => renewAt)),
    marks: marks as Record<LeafName, string>,
  };
}

const endings = (store: Store, authorities: Authorities, now: number): Notice[] =>
  authorityNames.flatMap((name) => noticesOf(store.where(pkiRefs[name].cert), authorities[name], now));

const renewals = (states: Readonly<Record<LeafName, LeafState>>): Notice[] =>
  Object.entries(states)
    .filter(([, { renewed }]) => renewed !== undefined)
    .map(([name, { renewed }]) => ({ level: 'info', message: `certificate ${name} made anew: ${renewed}` }));
