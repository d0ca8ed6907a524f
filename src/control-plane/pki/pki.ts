// Which keys and certificates a control plane has, and where they are. All paths are absolute.
import path from 'node:path';

export interface Pair {
  readonly cert: string;
  readonly key: string;
}

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

export interface PkiFiles extends Readonly<Record<AuthorityName | LeafName, Pair>> {
  /** Signs the tokens of service accounts. */
  readonly serviceAccount: { readonly publicKey: string; readonly privateKey: string };
  /** How the API server encrypts secrets before they go to etcd, with the key. */
  readonly encryption: string;
}

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

export function pkiFiles(directory: string): PkiFiles {
  const at = (name: string): string => path.join(directory, name);
  const pair = (name: string): Pair => ({ cert: at(`${kebab(name)}.crt`), key: at(`${kebab(name)}.key`) });
  const pairs = Object.fromEntries([...authorityNames, ...leafNames].map((name) => [name, pair(name)]));
  return {
    ...(pairs as Record<AuthorityName | LeafName, Pair>),
    serviceAccount: { publicKey: at('service-account.pub'), privateKey: at('service-account.key') },
    encryption: at('encryption.json'),
  };
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
