// Which keys and certificates a control plane has, by name.
import { type FileRef, secretRef } from '../workload.ts';

export interface PairOf<Value> {
  readonly cert: Value;
  readonly key: Value;
}
export type Pair = PairOf<FileRef>;

/** Nothing works without these. */
export const firstAuthorities = ['ca', 'etcdCa', 'frontProxyCa'] as const;
/**
 * Signs what kubelets serve with, and nothing else: a node says itself which addresses it has, so what it gets must not be
 * good for the name of the API server. Clusters from before it was there get one.
 */
const kubeletAuthority = 'kubeletCa';
export const authorityNames = [...firstAuthorities, kubeletAuthority] as const;
export type AuthorityName = (typeof authorityNames)[number];

const leafNames = [
  // Servers.
  'etcd',
  'apiServer',
  'konnectivity',
  'loopback',
  // Clients.
  'apiServerEtcd',
  'backup',
  'apiServerKubelet',
  'frontProxyClient',
  'internal',
  'controllerManager',
  'scheduler',
  'konnectivityServer',
] as const;
export type LeafName = (typeof leafNames)[number];

export interface PkiOf<Value> extends Readonly<Record<AuthorityName | LeafName, PairOf<Value>>> {
  /** Signs the tokens of service accounts. */
  readonly serviceAccount: { readonly publicKey: Value; readonly privateKey: Value };
  /** How the API server encrypts secrets before they go to etcd, with the key. */
  readonly encryption: Value;
}

export interface ControlPlanePki {
  /** For this process, as a client that may do everything (PEM). */
  readonly own: { readonly ca: string; readonly cert: string; readonly key: string };
  /** Those that tokens of service accounts are verified with (PEM, one or more). */
  readonly tokenKeys: string;
  /** When the next certificate is due (milliseconds). */
  readonly renewAt: number;
  /** Changes whenever the certificate does, for programs that do not read it again by themselves. */
  readonly marks: Readonly<Record<LeafName, string>>;
  /** What people should know: an authority that ends, certificates that were made anew. */
  readonly notices: readonly Notice[];
}

export interface Notice {
  readonly level: 'info' | 'warn';
  readonly message: string;
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const pair = (name: string): Pair => ({ cert: secretRef(name, 'tls.crt'), key: secretRef(name, 'tls.key') });
const pairs = Object.fromEntries([...authorityNames, ...leafNames].map((name) => [name, pair(kebab(name))]));

/** By the names of their Secrets: workloads mount them, and a store keeps them. */
export const pkiRefs: PkiOf<FileRef> = {
  ...(pairs as Record<AuthorityName | LeafName, Pair>),
  serviceAccount: {
    publicKey: secretRef('service-account', 'sa.pub'),
    privateKey: secretRef('service-account', 'sa.key'),
  },
  encryption: secretRef('encryption', 'encryption.json'),
};

/** Made once; all certificates follow from these, and nothing works without them. */
export const keyRefs: readonly FileRef[] = [
  ...firstAuthorities.flatMap((name) => [pkiRefs[name].cert, pkiRefs[name].key]),
  pkiRefs.serviceAccount.privateKey,
  pkiRefs.serviceAccount.publicKey,
  pkiRefs.encryption,
];

/** As these, but backups from before they were there have none. */
export const laterKeyRefs: readonly FileRef[] = [pkiRefs.kubeletCa.cert, pkiRefs.kubeletCa.key];
