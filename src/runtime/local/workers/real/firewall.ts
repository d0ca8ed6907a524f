// The router's firewall: the ruleset that the plan gives to the firewall team, word for word. Whatever it does not name is
// dropped.
import type { Model } from '../../../../model/schema/index.ts';
import type { Plan } from '../../../../plan/schema/index.ts';
import { nftables } from '../../../../render/firewall/nftables.ts';
import { command } from './command.ts';
import { type Layout, namespaceFile } from './layout.ts';

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
export async function loadFirewall(
  { router, worker }: Layout,
  inPlan: string,
  plan: Plan,
  model: Model,
): Promise<void> {
  const ruleset = nftables.files(plan, model).map(({ text }) => text);
  await nft(router, [...ruleset, sourceRule('seed', 'masquerade')].join('\n'));
  // Pods are seen as their worker, and a worker at its address in the plan.
  await nft(worker, sourceRule('eth0', `snat to ${inPlan}`));
}

const nft = (namespace: string, rules: string): Promise<string> =>
  command('nsenter', [`--net=${namespaceFile(namespace)}`, 'nft', '-f', '-'], rules);
