// Backups of a cluster while no platform runs on its directory.

import type { BackupStore, ControlPlaneInput } from '../../control-plane/index.ts';
import { CausewayError, exitCodes } from '../../core/errors.ts';
import { manifestReader } from '../../manifests/index.ts';
import { controlPlaneInput, noSuchCluster, notRunHere } from '../../platform/index.ts';
import { localRuntime } from '../../runtime/local/capabilities.ts';
import { type ClusterPlace, clusterHome, platformHome } from '../../runtime/local/home.ts';
import {
  backupStore,
  claimDirectory,
  createSupervisor,
  passphraseOf,
  prepareRestore,
  type Restored,
  rememberPorts,
} from '../../runtime/local/index.ts';
import { silentLog } from '../../sys/log.ts';

export interface Offline {
  readonly input: ControlPlaneInput & ClusterPlace;
  readonly store: BackupStore;
}

export async function offlineCluster(directory: string, name: string): Promise<Offline> {
  const { planned } = await manifestReader(directory, { runtime: localRuntime })();
  if (planned === undefined) throw unreadable(directory);
  const cluster = planned.model.clusters.find(({ metadata }) => metadata.name === name);
  if (cluster === undefined)
    throw noSuchCluster(
      name,
      planned.model.clusters.map(({ metadata }) => metadata.name),
    );
  const home = clusterHome(platformHome(directory), name);
  const wanted = controlPlaneInput(planned, cluster);
  if (wanted === undefined) throw notRunHere(name);
  const input = { ...wanted, home, ports: await rememberPorts(home) };
  return { input, store: backupStore(input, { manifests: directory }) };
}

/** Nobody can start the platform meanwhile, and what a killed one left running of this cluster is ended. */
export async function restoreOffline(directory: string, name: string, from: string): Promise<Restored> {
  const { state } = platformHome(directory);
  const release = await claimDirectory(directory);
  try {
    const { input, store } = await offlineCluster(directory, name);
    const passphrase = passphraseOf(input, { manifests: directory });
    const commit = await prepareRestore(input, { store, from, passphrase });
    await createSupervisor({ directory: state, log: silentLog }).remove(`cluster/${name}`);
    return await commit();
  } finally {
    await release();
  }
}

const unreadable = (directory: string): CausewayError =>
  new CausewayError(
    'CW-CLUSTER-MANIFESTS',
    `the manifests in ${directory} have errors`,
    `mend what "causeway validate ${directory}" says first`,
    exitCodes.findings,
  );
