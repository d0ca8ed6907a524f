// All keys and certificates of one control plane, made where they are missing and renewed where they are due.
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Authority } from '../../pki/certificates.ts';
import type { ControlPlaneInput } from '../control-plane.ts';
import { privateDirectory, readPrivate, writePrivate } from '../private-files.ts';
import { ensureAuthority, noticesOf } from './authorities.ts';
import { ensureLeaf, type LeafState } from './ensure-leaf.ts';
import { leavesOf } from './leaves.ts';
import {
  type AuthorityName,
  type ControlPlanePki,
  type LeafName,
  type Notice,
  type PkiFiles,
  pkiFiles,
} from './pki.ts';

export interface PkiOptions {
  /** The clock (milliseconds). */
  readonly now: () => number;
  /** Of certificates; authorities live ten years. @default a year */
  readonly lifetimeMs?: number;
}

export const year = 365 * 24 * 3_600_000;

export async function ensurePki(
  input: Pick<ControlPlaneInput, 'cluster' | 'certificates' | 'home'>,
  { now, lifetimeMs = year }: PkiOptions,
): Promise<ControlPlanePki> {
  privateDirectory(input.home.pki);
  const files = pkiFiles(input.home.pki);
  const moment = { now: now(), lifetimeMs };
  const authorities = await ensureAuthorities(files, input.cluster, moment.now);
  ensureServiceAccountKeys(files);
  ensureEncryption(files);
  const leaves = Object.entries(leavesOf(input)) as [LeafName, ReturnType<typeof leavesOf>[LeafName]][];
  const states = {} as Record<LeafName, LeafState>;
  for (const [name, leaf] of leaves) {
    states[name] = await ensureLeaf(files[name], leaf, authorities[leaf.authority], moment);
  }
  return { ...files, ...summary(states), notices: [...endings(files, authorities, moment.now), ...renewals(states)] };
}

type Authorities = Readonly<Record<AuthorityName, Authority>>;

async function ensureAuthorities(files: PkiFiles, cluster: string, now: number): Promise<Authorities> {
  const options = { cluster, now, isNew: !existsSync(files.etcd.cert) };
  return {
    ca: await ensureAuthority(files.ca, 'ca', options),
    etcdCa: await ensureAuthority(files.etcdCa, 'etcdCa', options),
    frontProxyCa: await ensureAuthority(files.frontProxyCa, 'frontProxyCa', options),
  };
}

/** The private half is the one that counts; the public one follows from it. */
function ensureServiceAccountKeys({ serviceAccount }: PkiFiles): void {
  const found = readPrivate(serviceAccount.privateKey);
  const key =
    found === undefined ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : createPrivateKey(found);
  if (found === undefined) {
    writePrivate(serviceAccount.privateKey, key.export({ type: 'pkcs8', format: 'pem' }).toString());
  } else if (existsSync(serviceAccount.publicKey)) return;
  writePrivate(serviceAccount.publicKey, createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString());
}

/** Written once: without this key nobody reads the secrets again. */
function ensureEncryption({ encryption }: PkiFiles): void {
  if (readPrivate(encryption) !== undefined) return;
  const keys = [{ name: 'key1', secret: randomBytes(32).toString('base64') }];
  const configuration = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [{ resources: ['secrets'], providers: [{ secretbox: { keys } }, { identity: {} }] }],
  };
  writePrivate(encryption, `${JSON.stringify(configuration, undefined, 2)}\n`);
}

function summary(states: Readonly<Record<LeafName, LeafState>>): Pick<ControlPlanePki, 'renewAt' | 'marks'> {
  const marks = Object.fromEntries(Object.entries(states).map(([name, { mark }]) => [name, mark]));
  return {
    renewAt: Math.min(...Object.values(states).map(({ renewAt }) => renewAt)),
    marks: marks as Record<LeafName, string>,
  };
}

const endings = (files: PkiFiles, authorities: Authorities, now: number): Notice[] =>
  (['ca', 'etcdCa', 'frontProxyCa'] as const).flatMap((name) => noticesOf(files[name], authorities[name], now));

const renewals = (states: Readonly<Record<LeafName, LeafState>>): Notice[] =>
  Object.entries(states)
    .filter(([, { renewed }]) => renewed !== undefined)
    .map(([name, { renewed }]) => ({ level: 'info', message: `certificate ${name} made anew: ${renewed}` }));
