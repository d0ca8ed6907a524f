// Which addresses and ports a snapshot wants to be listened on.
import { CausewayError } from '../../core/errors.ts';
import { hostPort } from '../../net/host-port.ts';
import type { ListenerKind } from '../engine.ts';
import type { Snapshot, SnapshotRoute } from '../snapshot/snapshot.ts';

export interface DesiredListener {
  readonly kind: ListenerKind;
  readonly address: string;
  /** 0: any free port. */
  readonly wanted: number;
}

export const listenerKey = ({ kind, address, wanted }: DesiredListener): string => `${kind} ${address} ${wanted}`;

/** By key, so that a listener that two snapshots share is found again. */
export function desiredListeners(snapshot: Snapshot, addresses: readonly string[]): Map<string, DesiredListener> {
  const found = new Map<string, DesiredListener>();
  const add = (kind: ListenerKind, at: readonly string[], wanted: number | undefined): void => {
    if (wanted === undefined) return;
    for (const address of at) found.set(listenerKey({ kind, address, wanted }), { kind, address, wanted });
  };
  for (const kind of ['sni', 'tunnel', 'single'] as const) add(kind, addresses, snapshot.listeners[kind]);
  for (const route of routesOf(snapshot)) {
    add('nodePort', addresses, route.nodePort);
    add('address', route.addresses ?? [], route.port);
  }
  refuseSharedPorts(found.values());
  return found;
}

function* routesOf({ clusters }: Snapshot): Iterable<SnapshotRoute> {
  for (const id in clusters) {
    const cluster = clusters[id];
    if (cluster === undefined) continue;
    yield cluster.apiServer;
    yield cluster.konnectivity;
  }
}

/** The kernel would let us bind both, and then share connections out between them at random. */
function refuseSharedPorts(listeners: Iterable<DesiredListener>): void {
  const taken = new Map<string, DesiredListener>();
  for (const listener of listeners) {
    if (listener.wanted === 0) continue;
    const place = hostPort(listener.address, listener.wanted);
    const other = taken.get(place);
    if (other !== undefined)
      throw new CausewayError(
        'CW-GATEWAY-PORT-TWICE',
        `${place} is wanted twice: as ${other.kind} and as ${listener.kind} listener`,
        'give one of them another port or address in the snapshot',
      );
    taken.set(place, listener);
  }
}
