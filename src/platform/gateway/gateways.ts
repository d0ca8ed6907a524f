// The gateways of all seeds: brought to what is planned, and asked how they are.
import type { Plan } from '../../plan/schema/index.ts';
import type { GatewayKeys, PlatformRuntime } from '../../runtime/platform-runtime.ts';
import type { Log } from '../../sys/log.ts';
import { gatewayAddresses } from '../cluster/access.ts';
import type { LiveConnection } from '../view.ts';
import { type PlacedFacts, placedSnapshot } from './gateway-snapshot.ts';
import { SeedGateway } from './seed-gateway.ts';
import { type ClusterTraffic, trafficOf } from './traffic.ts';

export interface GatewaysOptions {
  readonly runtime: Pick<PlatformRuntime, 'gateway'>;
  readonly workers: number;
  readonly log: Log;
  /** Of their certificates. @default a year */
  readonly lifetimeMs?: number;
  changed(): void;
}

/** All but the key, which each seed has for itself. */
type ClusterFacts = Omit<PlacedFacts, 'tokenKey'>;

interface Entry {
  readonly keys: GatewayKeys;
  readonly gateway: SeedGateway;
  /** Of the tunnel, as its certificate has it. */
  name?: string;
}

export class Gateways {
  readonly #options: GatewaysOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: GatewaysOptions) {
    this.#options = options;
  }

  of(seed: string): SeedGateway | undefined {
    return this.#entries.get(seed)?.gateway;
  }

  all(): SeedGateway[] {
    return [...this.#entries.values()].map(({ gateway }) => gateway);
  }

  keysOf(seed: string): GatewayKeys | undefined {
    return this.#entries.get(seed)?.keys;
  }

  /** Their keys, which others need before anybody connects. */
  async prepare(plan: Plan): Promise<void> {
    for (const seed of this.#entries.keys()) if (plan.gateway[seed] === undefined) await this.#drop(seed);
    await Promise.all(Object.keys(plan.gateway).map((seed) => this.#entry(seed, gatewayAddresses(plan, seed))));
  }

  async reconcile(plan: Plan, facts: ClusterFacts): Promise<void> {
    await Promise.all(Object.keys(plan.gateway).map((seed) => this.#reconcileSeed(plan, seed, facts)));
  }

  traffic(): Map<string, ClusterTraffic> {
    const all = this.all().map((gateway) => trafficOf(gateway.series()));
    return new Map(all.flatMap((traffic) => [...traffic]));
  }

  /** Now and then: brings figures up to date, and certificates that are due. */
  async refresh(): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => this.#renewIfDue(entry)));
    await Promise.all(this.all().map((gateway) => gateway.refresh()));
  }

  async connections(cluster: string | undefined): Promise<LiveConnection[]> {
    const all = await Promise.all(this.all().map((gateway) => gateway.connections(cluster)));
    return all.flat().map((view) => ({
      cluster: view.cluster,
      target: view.service,
      listener: view.listener,
      client: view.client,
      ageMs: view.ageMs,
      bytesIn: view.sent,
      bytesOut: view.received,
      ...(view.node === undefined ? {} : { node: view.node }),
    }));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((seed) => this.#drop(seed)));
  }

  async #reconcileSeed(plan: Plan, seed: string, facts: ClusterFacts): Promise<void> {
    const planned = plan.gateway[seed];
    if (planned === undefined) return;
    const entry = await this.#entry(seed, gatewayAddresses(plan, seed));
    const { keys, gateway } = entry;
    entry.name = planned.tunnel.name;
    const renewed = await keys.renew([entry.name]);
    await gateway.apply(placedSnapshot(planned, { ...facts, tokenKey: keys.tokenKey }));
    if (renewed) await gateway.reloadCertificate();
  }

  /** Nothing may be applied for a year. */
  async #renewIfDue({ keys, gateway, name }: Entry): Promise<void> {
    if (name === undefined || Date.now() < keys.dueAt) return;
    const { log } = this.#options;
    try {
      if (!(await keys.renew([name]))) return;
      await gateway.reloadCertificate();
      log.info('the certificate of the gateway was renewed', { seed: gateway.seed });
    } catch (error) {
      const why = (error as Error).message;
      log.warn('the certificate of the gateway cannot be renewed; it is tried again', { seed: gateway.seed, why });
    }
  }

  /** Addresses of a gateway are those it was started with: another one is another gateway. */
  async #entry(seed: string, addresses: readonly string[]): Promise<Entry> {
    const known = this.#entries.get(seed);
    if (known !== undefined && known.gateway.addresses.join() === addresses.join()) return known;
    await this.#drop(seed);
    const { runtime, lifetimeMs, ...options } = this.#options;
    const { keys, start } = await runtime.gateway(seed, lifetimeMs === undefined ? {} : { lifetimeMs });
    if (keys.warning !== undefined) options.log.warn(keys.warning, { seed });
    const entry: Entry = { keys, gateway: new SeedGateway({ ...options, seed, addresses, start }) };
    this.#entries.set(seed, entry);
    return entry;
  }

  async #drop(seed: string): Promise<void> {
    const entry = this.#entries.get(seed);
    this.#entries.delete(seed);
    await entry?.gateway.stop();
  }
}
