// Where a platform keeps what it must not lose, and where its sockets are. Everything here is only for its owner.
import { hash } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import type { InnerPorts } from './ports.ts';

export const stateDirectory = '.causeway';

export interface PlatformHome {
  /** Beside the manifests: keys, data, logs, backups, history. */
  readonly state: string;
  /** For sockets, whose paths may have only 107 bytes: short, and made anew at each start. */
  readonly run: string;
  /** Talks to the platform that runs on this directory. */
  readonly controlSocket: string;
}

export function platformHome(directory: string, env: NodeJS.ProcessEnv = process.env): PlatformHome {
  const absolute = path.resolve(directory);
  const name = hash('sha256', absolute).slice(0, 10);
  const { XDG_RUNTIME_DIR: runtime = '' } = env;
  const parent = path.isAbsolute(runtime) ? runtime : path.join(tmpdir(), `causeway-${userInfo().uid}`);
  const run = path.join(parent, `cw-${name}`);
  return { state: path.join(absolute, stateDirectory), run, controlSocket: path.join(run, 'up.sock') };
}

export interface ClusterHome {
  readonly root: string;
  readonly pki: string;
  readonly etcd: string;
  readonly logs: string;
  readonly config: string;
  readonly backups: string;
  /** What authenticates backups where there is no passphrase: of the platform, not where backups are. */
  readonly backupKey: string;
  /** Which backup is the newest known. */
  readonly backupState: string;
  /** The socket between API server and konnectivity server. */
  readonly konnectivitySocket: string;
}

/** There since the first control plane was run here. */
export const clustersDirectory = (home: PlatformHome): string => path.join(home.state, 'clusters');

/** The control plane of one cluster; its worker side has a home of its own, which knows none of these keys. */
export function clusterHome(home: PlatformHome, cluster: string): ClusterHome {
  const root = path.join(clustersDirectory(home), cluster);
  const below = (name: string): string => path.join(root, name);
  return {
    root,
    pki: below('pki'),
    etcd: below('etcd'),
    logs: below('logs'),
    config: below('config'),
    backups: path.join(home.state, 'backups', cluster),
    backupKey: path.join(home.state, 'backup.key'),
    backupState: path.join(home.state, 'backup-state', `${cluster}.json`),
    konnectivitySocket: path.join(home.run, `k-${hash('sha256', cluster).slice(0, 10)}.sock`),
  };
}

/** Where one cluster is on this machine. */
export interface ClusterPlace {
  readonly cluster: string;
  readonly home: ClusterHome;
  readonly ports: InnerPorts;
}

/** Where the gateway of a seed is told and asked. */
export const gatewaySocket = (home: PlatformHome, seed: string): string =>
  path.join(home.run, `g-${hash('sha256', seed).slice(0, 10)}.sock`);

export const workerHome = (home: PlatformHome, cluster: string): string => path.join(home.state, 'workers', cluster);
