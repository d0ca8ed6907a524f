// Where a real worker is on this machine. All names follow from the platform's directory, so that the next run finds what
// a killed one left behind.
import { hash } from 'node:crypto';
import path from 'node:path';
import { type PlatformHome, workerHome } from '../../home.ts';

export interface Layout {
  readonly id: string;
  /** Network namespaces, as `ip netns` lists them. */
  readonly router: string;
  readonly worker: string;
  /** The machine's end of the wire to the router. */
  readonly hostInterface: string;
  /** Keys, images and data; stays when the worker stops. */
  readonly root: string;
  /** Sockets and namespaces; gone when it stops. */
  readonly run: string;
  readonly mountNamespace: string;
  readonly containerdSocket: string;
  /** Below every hierarchy of control groups. */
  readonly controlGroup: string;
}

/** One for a platform: it is there to show that the real thing works. */
export const workerId = ({ state }: PlatformHome): string => hash('sha256', state).slice(0, 8);

export function layoutOf(home: PlatformHome, cluster: string): Layout {
  const id = workerId(home);
  const run = path.join(home.run, 'real');
  return {
    id,
    router: `cw-${id}-router`,
    worker: `cw-${id}-worker`,
    hostInterface: `cw-${id}`,
    root: path.join(workerHome(home, cluster), 'real'),
    run,
    mountNamespace: path.join(run, 'namespaces', 'mount'),
    containerdSocket: path.join(run, 'containerd', 'containerd.sock'),
    controlGroup: `causeway-${id}`,
  };
}

export const namespaceFile = (name: string): string => path.join('/run/netns', name);

/** In front of a command that is to run on the worker: its network, and the files that it sees. */
export const onWorker = ({ worker, mountNamespace }: Layout): string[] => [
  'nsenter',
  `--net=${namespaceFile(worker)}`,
  `--mount=${mountNamespace}`,
];
