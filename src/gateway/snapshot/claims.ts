// What each route claims for itself alone: a name, an authority, a node port, an address with a port. Two routes that
// claim the same would make it a matter of luck where a connection goes.
import { canonicalIp } from '../../net/index.ts';
import { canonicalName } from './hosts.ts';
import { type PortRange, readPortRange } from './schema.ts';
import type { Service, Snapshot, SnapshotRoute } from './snapshot.ts';
import { type Problems, shown } from './validator.ts';

export const services: readonly Service[] = ['apiServer', 'konnectivity'];
export const addressKey = (address: string, port: number): string => `${canonicalIp(address) ?? address} ${port}`;

/** Where claims are registered; keys in one form only. */
export interface ClaimVisitor {
  sni(name: string): void;
  authority(authority: string): void;
  nodePort(port: number): void;
  address(key: string): void;
}

export function eachClaim(route: SnapshotRoute, visitor: ClaimVisitor): void {
  if (route.sni !== undefined) visitor.sni(canonicalName(route.sni));
  if (route.authority !== undefined) visitor.authority(canonicalName(route.authority));
  if (route.nodePort !== undefined) visitor.nodePort(route.nodePort);
  if (route.addresses === undefined || route.port === undefined) return;
  for (const address of route.addresses) visitor.address(addressKey(address, route.port));
}

/** Problems between fields. The shape of the snapshot must be right already. */
export function checkClaims(snapshot: Snapshot, problems: Problems): void {
  checkListeners(snapshot, problems);
  const range = readPortRange(snapshot.listeners.nodePortRange) ?? { first: 1, last: 65_535 };
  const taken = new Taken(snapshot, problems);
  for (const name in snapshot.clusters) {
    for (const service of services) {
      const route = snapshot.clusters[name]?.[service];
      if (route === undefined) continue;
      checkPorts(route, range, (field, sentence) => problems.add(`clusters.${name}.${service}.${field}`, sentence));
      taken.add(route, name, service);
    }
  }
  checkTokenKeys(snapshot, problems);
}

/** The key says of which cluster a token is. */
function checkTokenKeys({ clusters }: Snapshot, problems: Problems): void {
  const owners = new Map<string, string>();
  for (const name in clusters)
    for (const { keys } of clusters[name]?.tokenAuthorities ?? [])
      for (const { id } of keys) {
        const owner = owners.get(id);
        if (owner !== undefined)
          problems.add(`clusters.${name}.tokenAuthorities`, `key ${shown(id)} is taken by clusters.${owner}`);
        owners.set(id, name);
      }
}

const listenerKinds = ['sni', 'tunnel', 'single'] as const;

function checkListeners({ listeners }: Snapshot, problems: Problems): void {
  const known = new Map<number, string>();
  for (const kind of listenerKinds) {
    const port = listeners[kind];
    // 0 is another port each time.
    if (!port) continue;
    const other = known.get(port);
    if (other !== undefined) problems.add(`listeners.${kind}`, `port ${port} is taken by listeners.${other}`);
    known.set(port, kind);
  }
}

type Tell = (field: string, sentence: string) => void;

function checkPorts({ nodePort, addresses, port }: SnapshotRoute, { first, last }: PortRange, tell: Tell): void {
  if (port !== undefined && addresses === undefined)
    tell('port', 'belongs to own addresses; add addresses, or write nodePort');
  if (nodePort === undefined || nodePort === 0) return;
  if (nodePort < first || nodePort > last)
    tell('nodePort', `${nodePort} is outside of listeners.nodePortRange, ${first}-${last}`);
}

class Taken implements ClaimVisitor {
  readonly #snapshot: Snapshot;
  readonly #problems: Problems;
  readonly #names = new Set<string>();
  readonly #authorities = new Set<string>();
  readonly #nodePorts = new Set<number>();
  readonly #addresses = new Set<string>();
  #cluster = '';
  #service: Service = 'apiServer';

  constructor(snapshot: Snapshot, problems: Problems) {
    this.#snapshot = snapshot;
    this.#problems = problems;
    this.#names.add(canonicalName(snapshot.tunnel.name));
    for (const kind of listenerKinds) this.#nodePorts.add(snapshot.listeners[kind] || -1);
  }

  add(route: SnapshotRoute, cluster: string, service: Service): void {
    this.#cluster = cluster;
    this.#service = service;
    eachClaim(route, this);
  }
  sni(name: string): void {
    this.#claim(this.#names, name, 'sni');
  }
  authority(authority: string): void {
    this.#claim(this.#authorities, authority, 'authority');
  }
  nodePort(port: number): void {
    this.#claim(this.#nodePorts, port, 'nodePort');
  }
  address(key: string): void {
    this.#claim(this.#addresses, key, 'address');
  }

  #claim<Key>(taken: Set<Key>, key: Key, kind: keyof ClaimVisitor): void {
    const before = taken.size;
    if (taken.add(key).size > before) return;
    const field = kind === 'address' ? 'addresses' : kind;
    const path = `clusters.${this.#cluster}.${this.#service}.${field}`;
    this.#problems.add(path, `${key} is taken by ${ownerOf(this.#snapshot, kind, key)}`);
  }
}

/** The first that claims it. Searched only when two do. */
function ownerOf(snapshot: Snapshot, kind: keyof ClaimVisitor, key: unknown): string {
  if (kind === 'sni' && canonicalName(snapshot.tunnel.name) === key) return 'tunnel.name';
  const listener = listenerKinds.find((name) => kind === 'nodePort' && snapshot.listeners[name] === key);
  if (listener !== undefined && key !== 0) return `listeners.${listener}`;
  for (const [name, cluster] of Object.entries(snapshot.clusters)) {
    const service = services.find((one) => claims(cluster[one], kind, key));
    if (service !== undefined) return `clusters.${name}.${service}`;
  }
  return 'another route';
}

function claims(route: SnapshotRoute, kind: keyof ClaimVisitor, key: unknown): boolean {
  let found = false;
  const none = (): void => {};
  const visitor: ClaimVisitor = { sni: none, authority: none, nodePort: none, address: none };
  visitor[kind] = (other: unknown): void => {
    found ||= other === key;
  };
  eachClaim(route, visitor);
  return found;
}
