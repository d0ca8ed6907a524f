// Five lines that say how big the plan is and what is still open in it.
import type { Plan } from '../../plan/schema/index.ts';
import { bold, dim } from './style.ts';

export function summary(plan: Plan): string {
  const pending = plan.dns.records.filter((record) => record.phase === 'name').length;
  const proposed = proposals(plan);
  const lines = [
    `${bold(plan.platform.name)}  ${plan.platform.domain}`,
    `  ${count(Object.keys(plan.endpoints).length, 'cluster')} on ${count(Object.keys(plan.gateway).length, 'seed')}, ${count(plan.flows.length, 'flow')}, ${count(plan.dns.records.length, 'DNS record')}${pending > 0 ? ` (${pending} without address yet)` : ''}, ${count(plan.certificates.length, 'certificate')}`,
    `  ${count(plan.egress.entries.filter((entry) => entry.status === 'active').length, 'allow-list entry', 'allow-list entries')}, ${count(plan.requirements.length, 'requirement')} apply`,
  ];
  if (proposed > 0)
    lines.push(
      dim(
        `  ${count(proposed, 'address or port is', 'addresses or ports are')} proposed; --lock keeps ${proposed === 1 ? 'it' : 'them'}`,
      ),
    );
  return `${lines.join('\n')}\n`;
}

export function proposals(plan: Plan): number {
  const pools = plan.addresses.pools.flatMap((pool) => pool.allocations);
  const ports = plan.addresses.nodePorts.flatMap((seed) => seed.allocations);
  return [...pools, ...ports].filter((allocation) => !allocation.locked).length;
}

const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;
