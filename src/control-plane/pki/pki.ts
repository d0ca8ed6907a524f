// Which keys and certificates a control plane has, by name, and where they are as files.
import path from 'node:path';
import { type FileRef, secretRef } from '../workload.ts';

export interface PairOf<Value> {
  readonly cert: Value;
  readonly key: Value;
}
/** Two files. */
export type Pair = PairOf<string>;

const authorityNames = ['ca', 'etcdCa', 'frontProxyCa'] as const;
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

/** Absolute paths. */
export type PkiFiles = PkiOf<string>;

export interface ControlPlanePki extends PkiFiles {
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

/** `name` is that of a Secret, `key` that of a value in it. */
function pkiOf<Value>(named: (name: string, key: string) => Value): PkiOf<Value> {
  const pair = (name: string): PairOf<Value> => ({ cert: named(name, 'tls.crt'), key: named(name, 'tls.key') });
  const pairs = Object.fromEntries([...authorityNames, ...leafNames].map((name) => [name, pair(kebab(name))]));
  return {
    ...(pairs as Record<AuthorityName | LeafName, PairOf<Value>>),
    serviceAccount: {
      publicKey: named('service-account', 'sa.pub'),
      privateKey: named('service-account', 'sa.key'),
    },
    encryption: named('encryption', 'encryption.json'),
  };
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** For workloads, which mount them. */
export const pkiRefs: PkiOf<FileRef> = pkiOf(secretRef);

/** Of one value: the name of its Secret with the ending of its key, as in etcd-ca.crt. */
export const pkiFile = (directory: string, name: string, key: string): string =>
  path.join(directory, `${name}${path.extname(key)}`);

export const pkiFiles = (directory: string): PkiFiles => pkiOf((name, key) => pkiFile(directory, name, key));
