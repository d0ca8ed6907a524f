// Which addresses a real worker has, and which it dials. Those of the plan where somebody checks them; the wires in between
// are ours.
import { formatAddress, parseAddress, parseCidr, parseRange } from '../../../../core/ip.ts';
import type { Model } from '../../../../model/schema/index.ts';
import { seedPlace, workersPlaceOf } from '../../../../plan/index.ts';
import type { Endpoint, Plan } from '../../../../plan/schema/index.ts';
import { noAddress } from './machine.ts';

export interface WireAddresses {
  readonly host: string;
  readonly routerToHost: string;
  readonly routerToWorker: string;
  readonly worker: string;
}

export interface WorkerAddresses {
  readonly wires: WireAddresses;
  /** In the worker network of the plan: what firewalls see. */
  readonly inPlan: string;
  /** What the kubelet tells; it refuses loopback addresses, which plans for one machine have. */
  readonly node: string;
}

/** For tests of networks (RFC 2544), so nobody's own: two networks of four addresses for each platform. */
const wireNetwork = parseCidr('198.18.0.0/15');

export function wiresOf(id: string): WireAddresses {
  const first = wireNetwork.first + BigInt(Number.parseInt(id, 16) % 2 ** 14) * 8n;
  const at = (offset: bigint): string => formatAddress({ family: 4, value: first + offset });
  return { host: at(1n), routerToHost: at(2n), routerToWorker: at(5n), worker: at(6n) };
}

export function workerAddresses(id: string, cluster: string, plan: Plan, model: Model): WorkerAddresses {
  const wires = wiresOf(id);
  const inPlan = addressIn(plan, workersPlace(cluster, model));
  return { wires, inPlan, node: inPlan.startsWith('127.') ? wires.worker : inPlan };
}

function workersPlace(name: string, { clusters, datacenters }: Model): string {
  const cluster = clusters.find(({ metadata }) => metadata.name === name);
  const datacenter = datacenters.find(({ metadata }) => metadata.name === cluster?.spec.datacenter);
  if (datacenter === undefined) throw noAddress(`the workers of ${name}`);
  return workersPlaceOf(datacenter, cluster?.spec.tenant);
}

/** The first ones are often a network's own. */
const skipped = 10n;

function addressIn(plan: Plan, place: string): string {
  const ranges = (plan.places[place]?.networks ?? []).map(parseRange);
  const range = ranges.find(({ family, first, last }) => family === 4 && last - first > skipped);
  if (range === undefined) throw noAddress(place);
  return formatAddress({ family: 4, value: range.first + skipped });
}

/** Lines of a hosts file: the names that workers dial, at the gateway's own address. */
export function hostsFile(endpoint: Endpoint, plan: Plan): string {
  const place = seedPlace(endpoint.seed, 'gateway');
  const address = plan.places[place]?.networks.find(isAddressV4);
  if (address === undefined) throw noAddress(place);
  const names = [endpoint.apiServer.host, endpoint.konnectivity.host, endpoint.tunnel?.host];
  const dialled = [...new Set(names)].filter((name) => name != null && !isAddressV4(name));
  return ['127.0.0.1 localhost', ...dialled.map((name) => `${address} ${name}`), ''].join('\n');
}

function isAddressV4(text: string): boolean {
  try {
    return parseAddress(text).family === 4;
  } catch {
    return false;
  }
}

export const isIPv4 = (network: string): boolean => !network.includes(':');
