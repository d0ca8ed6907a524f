// Keys that are missing although etcd has data: somebody lost them, or is about to. New ones would make another cluster of
// the same data: secrets that nobody can read, kubeconfigs and workers that nobody trusts.
import { CausewayError } from '../../core/errors.ts';
import type { ClusterRuntime, Store, ValueName } from '../cluster-runtime.ts';
import { readClusterState } from '../cluster-state.ts';
import { authorityNames, firstAuthorities, pkiRefs } from './pki.ts';

/** The value that each set of keys stands or falls with. */
const madeOnce: readonly ValueName[] = [
  ...firstAuthorities.map((name) => pkiRefs[name].key),
  pkiRefs.serviceAccount.privateKey,
  pkiRefs.encryption,
];

/** Whoever puts it there wants new ones. */
export const retired = ({ name }: ValueName): ValueName => ({ name, key: 'old.retired' });

export async function refuseNewKeys(
  cluster: string,
  { store, hasData }: Pick<ClusterRuntime, 'store' | 'hasData'>,
): Promise<void> {
  if (!(await hasData())) return;
  const isMissing = async (value: ValueName): Promise<boolean> =>
    !(await store.has(value)) && !(await hasOther(store, value)) && !(await store.has(retired(value)));
  const missing: ValueName[] = [];
  // Where it is asked of kubelets they have certificates of it.
  const state = await readClusterState({ store, hasData });
  const needed = state?.verifiesKubelets ? [...madeOnce, pkiRefs.kubeletCa.key] : madeOnce;
  for (const value of needed) if (await isMissing(value)) missing.push(value);
  const [first] = missing;
  if (first === undefined) return;
  throw new CausewayError(
    'CW-PKI-LOST',
    `${cluster} has data, but ${missing.map(store.where).join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`,
    `bring the keys back: "causeway cluster restore ${cluster}" where backups have them. New ones are made only where ` +
      `somebody says so, by a file ${store.where(retired(first))}: secrets, kubeconfigs and workers of the old ones are lost then`,
  );
}

/** Half of an authority is a mistake of another kind, which is told by itself. */
async function hasOther(store: Store, value: ValueName): Promise<boolean> {
  const pair = authorityNames.map((name) => pkiRefs[name]).find(({ key }) => key === value);
  return pair !== undefined && (await store.has(pair.cert));
}
