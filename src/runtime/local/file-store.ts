// The named values of a cluster as files of this machine: keys and certificates in one directory, its state beside it.
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  type FileRef,
  type PkiOf,
  pkiRefs,
  type Store,
  stateValue,
  type ValueName,
} from '../../control-plane/index.ts';
import { privateDirectory, readPrivate, refuseOpen, writePrivate } from '../../sys/private-files.ts';
import type { ClusterHome } from './home.ts';

/** etcd-ca.crt: the name of its Secret with the ending of its key. */
const fileName = ({ name, key }: ValueName): string => `${name}${path.extname(key)}`;

export const fileOf = ({ root, pki }: Pick<ClusterHome, 'root' | 'pki'>, value: ValueName): string =>
  path.join(value.name === stateValue.name ? root : pki, fileName(value));

export function createFileStore(home: Pick<ClusterHome, 'root' | 'pki'>): Store {
  const where = (value: ValueName): string => fileOf(home, value);
  return {
    where,
    has: async (value) => existsSync(where(value)),
    async get(value) {
      const file = where(value);
      const isKey = path.dirname(file) === home.pki;
      if (isKey && existsSync(home.pki)) refuseOpen(home.pki, '700');
      return readPrivate(file);
    },
    async put(value, text) {
      const file = where(value);
      privateDirectory(path.dirname(file));
      writePrivate(file, text);
    },
  };
}

/** Where all keys and certificates are. */
export function pkiFiles(pki: string): PkiOf<string> {
  const at = (value: ValueName): string => fileOf({ root: '', pki }, value);
  const located = (values: object): object =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]: [string, object]) => [
        name,
        isRef(value) ? at(value) : located(value),
      ]),
    );
  return located(pkiRefs) as PkiOf<string>;
}

const isRef = (value: object): value is FileRef => 'ref' in value;
