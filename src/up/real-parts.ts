// The real parts: programs of Kubernetes as processes of this machine.
import { ClusterBackups } from '../control-plane/backup/cluster-backups.ts';
import type { ControlPlaneInput } from '../control-plane/control-plane.ts';
import { createProcessDriver, type ProcessDriver } from '../control-plane/driver/index.ts';
import { createManagedCluster, type ManagedCluster } from '../control-plane/managed-cluster.ts';
import { rememberPorts } from '../control-plane/ports.ts';
import type { Parts } from './parts.ts';
import { createDemoSides, realSide } from './worker-sides.ts';

export interface RealParts extends Parts {
  /** Of a cluster whose control plane runs here. */
  backupsOf(cluster: string): ClusterBackups | undefined;
}

export function createRealParts(): RealParts {
  const demo = createDemoSides();
  const backups = new Map<string, ClusterBackups>();
  let processes: ProcessDriver | undefined;
  return {
    backupsOf: (cluster) => backups.get(cluster),
    driver({ home, log, changed }) {
      const driver = createProcessDriver({ directory: home.state, log });
      driver.onProgress(changed);
      processes = driver;
      return driver;
    },
    controlPlane({ name, manifests, driver, log, say, changed }) {
      const saved = new ClusterBackups({ driver: processes as ProcessDriver, log, manifests });
      const beforeUpgrade = async (input: ControlPlaneInput, from: string): Promise<void> => {
        const backup = await saved.beforeUpgrade(input, from);
        say(`${name} was saved as ${backup.name}, and goes from Kubernetes ${from} to ${input.kubernetesVersion}`);
      };
      const cluster = createManagedCluster({ driver, log, beforeUpgrade });
      cluster.onChange(changed);
      backups.set(name, saved);
      return withBackups(cluster, saved, () => backups.delete(name));
    },
    workers: (kind, options, secrets) => (kind === 'real' ? realSide : demo)(options, secrets),
    ports: rememberPorts,
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
