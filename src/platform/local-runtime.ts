// The runtime of this machine: programs of Kubernetes as processes of this machine.

import type { ControlPlaneInput } from '../control-plane/control-plane.ts';
import { createManagedCluster, type ManagedCluster } from '../control-plane/managed-cluster.ts';
import { supportedMinors } from '../plan/rules/versions.ts';
import { kubernetesVersions } from '../programs/index.ts';
import { ClusterBackups } from '../runtime/local/backup/cluster-backups.ts';
import { clusterHome } from '../runtime/local/home.ts';
import { createSupervisor, localCluster, type Supervisor } from '../runtime/local/index.ts';
import { rememberPorts } from '../runtime/local/ports.ts';
import type { PlatformRuntime } from './runtime.ts';

export interface LocalRuntime extends PlatformRuntime {
  /** Of a cluster whose control plane runs here. */
  backupsOf(cluster: string): ClusterBackups | undefined;
}

export function createLocalRuntime(): LocalRuntime {
  // Loaded where they are played.
  const sides = late(async () => (await import('./worker-sides.ts')).createSides());
  const backups = new Map<string, ClusterBackups>();
  let processes: Supervisor | undefined;
  return {
    backupsOf: (cluster) => backups.get(cluster),
    driver({ home, log, changed }) {
      const driver = createSupervisor({ directory: home.state, log });
      driver.onProgress(changed);
      processes = driver;
      return driver;
    },
    controlPlane({ name, manifests, driver, home, ports, log, say, reconcileNow, changed }) {
      const place = localCluster({ cluster: name, home: clusterHome(home, name), ports });
      const keysChanged = (): Promise<void> => {
        cluster.forgetKeys();
        return reconcileNow();
      };
      const saved = new ClusterBackups({ place, driver: processes as Supervisor, log, manifests, keysChanged });
      const beforeUpgrade = async (input: ControlPlaneInput, from: string): Promise<void> => {
        const backup = await saved.beforeUpgrade(input, from);
        say(`${name} was saved as ${backup.name}, and goes from Kubernetes ${from} to ${input.kubernetesVersion}`);
      };
      const cluster = createManagedCluster({ driver, runtime: place, log, beforeUpgrade });
      cluster.onChange(changed);
      backups.set(name, saved);
      return withBackups(cluster, saved, () => backups.delete(name));
    },
    workers: async (kind, options, secrets) => (await sides())[kind](options, secrets),
    ports: rememberPorts,
    versions: kubernetesVersions({ minors: supportedMinors }),
  };
}

/** Done when it is first asked for, and once. */
function late<Thing>(make: () => Promise<Thing>): () => Promise<Thing> {
  let made: Promise<Thing> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function withBackups(cluster: ManagedCluster, saved: ClusterBackups, forget: () => unknown): ManagedCluster {
  const end = (): void => {
    saved.stop();
    forget();
  };
  return {
    ...cluster,
    reconcile(input) {
      saved.want(input);
      return cluster.reconcile(input);
    },
    stop() {
      end();
      return cluster.stop();
    },
    remove() {
      end();
      return cluster.remove();
    },
  };
}
