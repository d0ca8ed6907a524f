// Two network namespaces and the wires between them: worker – router – this machine. The router has the firewall, as
// between a real worker and its seed; the gateway is reached at the very address that the plan has for it.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Plan } from '../../../../plan/schema/index.ts';
import { nftables } from '../../../../render/index.ts';
import type { WorkerAddresses } from './addresses.ts';
import { type Layout, namespaceFile } from './layout.ts';
import { command, tryCommand } from './machine.ts';

export const hasNetwork = ({ router, worker, hostInterface }: Layout): boolean =>
  [namespaceFile(router), namespaceFile(worker), `/sys/class/net/${hostInterface}`].every(existsSync);

export async function createNetwork(layout: Layout, addresses: WorkerAddresses): Promise<void> {
  const { router, worker, hostInterface } = layout;
  for (const name of [router, worker]) await command('ip', ['netns', 'add', name]);
  await command('ip', ['link', 'add', hostInterface, 'type', 'veth', 'peer', 'name', 'seed', 'netns', router]);
  await command('ip', [
    '-n',
    router,
    'link',
    'add',
    'workers',
    'type',
    'veth',
    'peer',
    'name',
    'eth0',
    'netns',
    worker,
  ]);
  await allowLoopbackAddresses(layout);
  await batch([], hostLines(hostInterface, addresses));
  await batch(['-n', router], routerLines(addresses));
  await batch(['-n', worker], workerLines(addresses));
}

export async function removeNetwork({ router, worker, hostInterface }: Layout): Promise<void> {
  for (const name of [worker, router])
    if (existsSync(namespaceFile(name))) await tryCommand('ip', ['netns', 'delete', name]);
  await tryCommand('ip', ['link', 'delete', hostInterface]);
}

const batch = (where: readonly string[], lines: readonly string[]): Promise<string> =>
  command('ip', [...where, '-batch', '-'], lines.join('\n'));

const hostLines = (name: string, { wires }: WorkerAddresses): string[] => [
  `address add ${wires.host}/30 dev ${name}`,
  `link set ${name} up`,
];

const routerLines = ({ wires, inPlan }: WorkerAddresses): string[] => [
  `address add ${wires.routerToHost}/30 dev seed`,
  `address add ${wires.routerToWorker}/30 dev workers`,
  'link set seed up',
  'link set workers up',
  `route add default via ${wires.host}`,
  `route add ${inPlan}/32 via ${wires.worker}`,
];

/** Only one loopback address stays its own: all others of 127.0.0.0/8 are the platform's, and beyond the router. */
const workerLines = ({ wires, inPlan }: WorkerAddresses): string[] => [
  'link set lo up',
  'address delete 127.0.0.1/8 dev lo',
  'address add 127.0.0.1/32 dev lo scope host',
  `address add ${wires.worker}/30 dev eth0`,
  `address add ${inPlan}/32 dev eth0`,
  'link set eth0 up',
  `route add default via ${wires.routerToWorker} src ${inPlan}`,
];

/** Linux drops packets with loopback addresses on other interfaces; on these four, plans for one machine need them. */
async function allowLoopbackAddresses({ router, worker, hostInterface }: Layout): Promise<void> {
  const setting = (name: string): string => `/proc/sys/net/ipv4/conf/${name}/route_localnet`;
  await writeFile(setting(hostInterface), '1');
  const inside = (namespace: string, files: readonly string[]): Promise<string> =>
    command('nsenter', [
      `--net=${namespaceFile(namespace)}`,
      'sh',
      '-c',
      'for f; do echo 1 > "$f"; done',
      'sh',
      ...files,
    ]);
  await inside(router, [setting('seed'), setting('workers'), '/proc/sys/net/ipv4/ip_forward']);
  await inside(worker, [setting('eth0'), '/proc/sys/net/ipv4/ip_forward']);
}

// The router's firewall: the ruleset that the plan gives to the firewall team, word for word. Whatever it does not name is
// dropped.

/** Where a packet leaves by this interface, it gets a source that the other side knows a way to. */
const sourceRule = (interfaceName: string, translation: string): string => `
table ip causeway-wire
delete table ip causeway-wire
table ip causeway-wire {
  chain postrouting {
    type nat hook postrouting priority srcnat - 10;
    oifname "${interfaceName}" ${translation}
  }
}
`;

/** nft replaces a table as a whole, and open connections stay open. */
export async function loadFirewall({ router, worker }: Layout, inPlan: string, plan: Plan): Promise<void> {
  const ruleset = nftables.files(plan).map(({ text }) => text);
  await nft(router, [...ruleset, sourceRule('seed', 'masquerade')].join('\n'));
  // Pods are seen as their worker, and a worker at its address in the plan.
  await nft(worker, sourceRule('eth0', `snat to ${inPlan}`));
}

const nft = (namespace: string, rules: string): Promise<string> =>
  command('nsenter', [`--net=${namespaceFile(namespace)}`, 'nft', '-f', '-'], rules);
