// From what a connection shows to where it goes. A change costs what it changes, however many clusters there are.
import { addressKey, type ClaimVisitor, eachClaim, services } from './claims.ts';
import { ClusterEntry, type Target } from './cluster-entry.ts';
import { canonicalName } from './hosts.ts';
import type { SnapshotChange, SnapshotCluster } from './snapshot.ts';

export interface AppliedChange {
  readonly added: readonly ClusterEntry[];
  readonly updated: readonly ClusterEntry[];
  /** No longer in the table, and marked. */
  readonly removed: readonly ClusterEntry[];
}

export class RouteTable {
  /** Undefined until the first snapshot. */
  settings: SnapshotChange['settings'] | undefined;
  version: string | undefined;
  /** Reserved name of the tunnel, as it comes out of a ClientHello. */
  tunnelName: string | undefined;
  readonly #clusters = new Map<string, ClusterEntry>();
  readonly #claims: Claims = {
    sni: new Map(),
    authority: new Map(),
    nodePort: new Map(),
    address: new Map(),
  };

  /** The name must be in lower case and without a dot at its end, as `readClientHello` gives it. */
  bySni(name: string): Target | undefined {
    return this.#claims.sni.get(name);
  }

  byAuthority(authority: string): Target | undefined {
    return this.#claims.authority.get(authority) ?? this.#claims.authority.get(canonicalName(authority));
  }

  /** By the port that the snapshot names: 0 where the system chose another. */
  byNodePort(port: number): Target | undefined {
    return this.#claims.nodePort.get(port);
  }

  byAddress(address: string, port: number): Target | undefined {
    return this.#claims.address.get(addressKey(address, port));
  }

  cluster(name: string): ClusterEntry | undefined {
    return this.#clusters.get(name);
  }

  clusters(): Iterable<ClusterEntry> {
    return this.#clusters.values();
  }

  get size(): number {
    return this.#clusters.size;
  }

  /** Everything that is claimed, for those who listen. */
  claimed(): { readonly [Kind in keyof Claims]: ReadonlyMap<KeyOf<Kind>, Target> } {
    return this.#claims;
  }

  apply({ version, settings, changed, removed }: SnapshotChange): AppliedChange {
    this.version = version;
    this.settings = settings;
    this.tunnelName = canonicalName(settings.tunnel.name);
    const gone = removed.map((name) => this.#clusters.get(name)).filter((entry) => entry !== undefined);
    const updated = Object.keys(changed)
      .map((name) => this.#clusters.get(name))
      .filter((entry) => entry !== undefined);
    // All are taken out before one is put in: a name may go from one cluster to another.
    for (const entry of [...gone, ...updated]) this.#withdraw(entry);
    for (const entry of gone) this.#remove(entry);
    for (const entry of updated) this.#put(entry, changed[entry.name] ?? entry.config);
    return { added: this.#add(changed), updated, removed: gone };
  }

  #add(changed: Readonly<Record<string, SnapshotCluster>>): ClusterEntry[] {
    const added: ClusterEntry[] = [];
    for (const name in changed) {
      const config = changed[name];
      if (config === undefined || this.#clusters.has(name)) continue;
      const entry = new ClusterEntry(name, config);
      this.#clusters.set(name, entry);
      this.#claim(entry);
      added.push(entry);
    }
    return added;
  }

  #put(entry: ClusterEntry, config: SnapshotCluster): void {
    entry.update(config);
    this.#claim(entry);
  }

  #remove(entry: ClusterEntry): void {
    entry.removed = true;
    this.#clusters.delete(entry.name);
  }

  #claim(entry: ClusterEntry): void {
    for (const service of services) eachClaim(entry.config[service], claiming(this.#claims, entry[service]));
  }

  #withdraw(entry: ClusterEntry): void {
    for (const service of services) eachClaim(entry.config[service], withdrawing(this.#claims));
  }
}

type KeyOf<Kind extends keyof ClaimVisitor> = Parameters<ClaimVisitor[Kind]>[0];
type Claims = { readonly [Kind in keyof ClaimVisitor]: Map<KeyOf<Kind>, Target> };

const claiming = (claims: Claims, target: Target): ClaimVisitor => ({
  sni: (name) => claims.sni.set(name, target),
  authority: (authority) => claims.authority.set(authority, target),
  nodePort: (port) => claims.nodePort.set(port, target),
  address: (key) => claims.address.set(key, target),
});

const withdrawing = (claims: Claims): ClaimVisitor => ({
  sni: (name) => claims.sni.delete(name),
  authority: (authority) => claims.authority.delete(authority),
  nodePort: (port) => claims.nodePort.delete(port),
  address: (key) => claims.address.delete(key),
});
