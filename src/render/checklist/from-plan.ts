// What the plan computed for a row of the catalogue.
import type { DnsRecord, Flow, Plan } from '../../plan/schema/index.ts';
import { destinationOf, placeOf, portsText, whereText } from '../firewall/rows.ts';

/** More lines than this belong to the other artefacts; here they would hide what is open. */
const shown = 8;

/** Per row, what is known of it, in the order of the plan. */
export function planAnswers(plan: Plan): Map<string, string[]> {
  const answers = new Map<string, string[]>();
  const add = (row: string, text: string): void => {
    const texts = answers.get(row);
    if (texts === undefined) answers.set(row, [text]);
    else texts.push(text);
  };
  for (const flow of plan.flows) {
    // The hosts of the allow-list say more than "the Internet".
    if (flow.to !== 'internet') add(flow.requirement, flowText(plan, flow));
  }
  for (const record of plan.dns.records) add(record.requirement, recordText(record));
  for (const { requirement, name, dnsNames, ips } of plan.certificates) {
    add(requirement, `${name}: ${[...dnsNames, ...ips].join(' ')}`);
  }
  for (const { requirement, host, ports, status } of plan.egress.entries) {
    if (status === 'active') add(requirement, `${host}:${ports.join(',')}`);
  }
  for (const pool of plan.addresses.pools) {
    for (const need of pool.needs) add(need.requirement, `${need.count} from pool ${pool.pool} for ${need.for}`);
  }
  return new Map([...answers].map(([row, texts]) => [row, shortened([...new Set(texts)])]));
}

export function flowText(plan: Plan, flow: Flow): string {
  const where = whereText(destinationOf(placeOf(plan, flow.to)));
  return `${flow.from} to ${flow.to} (${where}) ${flow.protocol} ${portsText(flow)}`;
}

export const recordText = ({ name, hostname, addresses, place }: DnsRecord): string =>
  `${name} → ${hostname ?? (addresses.length > 0 ? addresses.join(' ') : `${place}, address not known yet`)}`;

/** Put behind an answer that does not meet its row. */
export const notMet = '(not met)';

/** An answer that still waits for an address, or that has to change. */
export const isWaiting = (text: string): boolean =>
  /not known yet|some of them open$/.test(text) || text.endsWith(notMet);

export const shortened = (texts: readonly string[]): string[] =>
  texts.length <= shown
    ? [...texts]
    : [
        ...texts.slice(0, shown),
        `and ${texts.length - shown} more${texts.some(isWaiting) ? ', some of them open' : ''}`,
      ];
