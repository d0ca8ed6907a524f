// The real parts: programs of Kubernetes as processes of this machine.
import { createProcessDriver } from '../control-plane/driver/index.ts';
import { createManagedCluster } from '../control-plane/managed-cluster.ts';
import { rememberPorts } from '../control-plane/ports.ts';
import type { Parts } from './parts.ts';
import { createDemoSides, realSide } from './worker-sides.ts';

export function createRealParts(): Parts {
  const demo = createDemoSides();
  return {
    driver({ home, log, changed }) {
      const driver = createProcessDriver({ directory: home.state, log });
      driver.onProgress(changed);
      return driver;
    },
    controlPlane({ driver, log, changed }) {
      const cluster = createManagedCluster({ driver, log });
      cluster.onChange(changed);
      return cluster;
    },
    workers: (kind, options, secrets) => (kind === 'real' ? realSide : demo)(options, secrets),
    ports: rememberPorts,
  };
}
