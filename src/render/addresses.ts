// The address plan: how many virtual IPs and node ports are needed, why, and who got which.
import { userOf } from '../plan/addresses/index.ts';
import type { NodePortPlan, Plan, PoolPlan } from '../plan/schema/index.ts';
import { type Artefact, bannerLines } from './artefact.ts';
import { proposedNotes } from './proposed.ts';
import { code, codeList, csv, markdownTable, markdownText } from './text/tables.ts';

const title = 'Address plan';

export const addressPlan: Artefact = {
  name: 'address-plan',
  title,
  files: (plan) => [
    { path: 'addresses/plan.md', text: asMarkdown(plan) },
    { path: 'addresses/plan.csv', text: asCsv(plan) },
  ],
};

const state = (locked: boolean): string => (locked ? 'locked' : 'proposed');

function asMarkdown(plan: Plan): string {
  const { pools, nodePorts } = plan.addresses;
  const banner = [...bannerLines(plan, title), ...proposedNotes(plan)].map(markdownText).join('\n');
  const nothing = pools.length + nodePorts.length === 0 ? ['No pools and no node ports are in use.\n'] : [];
  return [
    `# ${title}\n`,
    `${banner}\nWhat is locked never moves; what is proposed moves until it is written to the lock.\n`,
    ...pools.map(poolSection),
    ...nodePorts.map(nodePortSection),
    ...nothing,
  ].join('\n');
}

function poolSection(pool: PoolPlan): string {
  const free = pool.capacity - pool.needed;
  const summary = `Capacity ${pool.capacity}, needed ${pool.needed}, ${free >= 0 ? `${free} to spare` : `**${-free} too few**`}.`;
  const given = new Map(pool.allocations.map((allocation) => [allocation.for, allocation]));
  const needed = new Set(pool.needs.map((need) => need.for));
  const rows = pool.needs.map((need) => {
    const allocation = given.get(need.for);
    const addresses = allocation === undefined ? 'none left' : codeList(allocation.addresses);
    const status = allocation === undefined ? '' : state(allocation.locked);
    return [code(need.for), String(need.count), addresses, status, markdownText(need.reason), need.requirement];
  });
  const others = pool.allocations
    .filter((allocation) => !needed.has(allocation.for))
    .map((a) => [code(a.for), '0', codeList(a.addresses), state(a.locked), 'nobody needs it any more', '']);
  const table = markdownTable(['For', 'Count', 'Addresses', 'State', 'Why', 'Row'], [...rows, ...others]);
  return `## Pool ${code(pool.pool)} of ${code(pool.owner)}\n\n${summary}\n\n${table}`;
}

function nodePortSection(ports: NodePortPlan): string {
  const summary = `Range ${code(ports.range)}, capacity ${ports.capacity}, needed ${ports.needed}.`;
  const rows = ports.allocations.map((a) => [
    code(a.cluster),
    String(a.apiServer),
    String(a.konnectivity),
    state(a.locked),
  ]);
  const table = rows.length === 0 ? '' : `\n${markdownTable(['Cluster', 'API server', 'Konnectivity', 'State'], rows)}`;
  return `## Node ports of ${code(`Seed/${ports.seed}`)}\n\n${summary}\n${table}`;
}

const asCsv = (plan: Plan): string =>
  csv(
    ['kind', 'owner', 'pool', 'for', 'addresses', 'state'],
    [
      ...plan.addresses.pools.flatMap((pool) =>
        pool.allocations.map((a) => ['address', pool.owner, pool.pool, a.for, a.addresses.join(' '), state(a.locked)]),
      ),
      ...plan.addresses.nodePorts.flatMap((ports) =>
        ports.allocations.map((a) => [
          'node port',
          `Seed/${ports.seed}`,
          ports.range,
          userOf(a.cluster),
          `${a.apiServer} ${a.konnectivity}`,
          state(a.locked),
        ]),
      ),
    ],
  );
