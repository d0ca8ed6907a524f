// Backups of a cluster while no platform runs on its directory.

import type { ControlPlaneInput, JudgedBackup, RestoreFlags } from '../../control-plane/index.ts';
import { CausewayError, exitCodes } from '../../core/errors.ts';
import { manifestDirectory, manifestReader } from '../../manifests/index.ts';
import { controlPlaneInput, noSuchCluster, notRunHere } from '../../platform/index.ts';
import { localRuntime } from '../../runtime/local/capabilities.ts';
import { type ClusterPlace, clusterHome, platformHome } from '../../runtime/local/home.ts';
import {
  backupStore,
  type ChoiceOptions,
  chosenBackup,
  claimDirectory,
  createSupervisor,
  judgedBackups,
  passphraseOf,
  prepareRestore,
  type Restored,
  rememberPorts,
} from '../../runtime/local/index.ts';
import { silentLog } from '../../sys/log.ts';

interface Offline {
  readonly input: ControlPlaneInput & ClusterPlace;
  readonly access: Omit<ChoiceOptions, 'from'>;
}

export async function listOffline(directory: string, name: string): Promise<JudgedBackup[]> {
  const { input, access } = await offlineCluster(directory, name);
  return judgedBackups(input, access);
}

export async function chooseOffline(directory: string, name: string, from: string): Promise<JudgedBackup> {
  const { input, access } = await offlineCluster(directory, name);
  return chosenBackup(input, { ...access, from });
}

async function offlineCluster(directory: string, name: string): Promise<Offline> {
  const { planned } = await manifestReader(manifestDirectory(directory), { runtime: localRuntime })();
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
  const places = { manifests: directory };
  return { input, access: { store: backupStore(input, places), passphrase: passphraseOf(input, places) } };
}

/** Nobody can start the platform meanwhile, and what a killed one left running of this cluster is ended. */
export async function restoreOffline(
  directory: string,
  name: string,
  from: string,
  flags: RestoreFlags,
): Promise<Restored> {
  const { state } = platformHome(directory);
  const release = await claimDirectory(directory);
  try {
    const { input, access } = await offlineCluster(directory, name);
    const commit = await prepareRestore(input, { ...access, ...flags, from });
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
