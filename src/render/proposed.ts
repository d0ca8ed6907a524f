// Addresses and node ports that the plan proposes and nobody has locked yet: they may still move.
import type { Plan } from '../plan/schema/index.ts';
import { plural } from './text/one-line.ts';

const openIn = (parts: readonly { readonly allocations: readonly { readonly locked: boolean }[] }[]): number =>
  parts.reduce((sum, { allocations }) => sum + allocations.filter(({ locked }) => !locked).length, 0);

/** What is proposed, in words; nothing where all is locked. */
export function proposedText({ addresses }: Plan): string | undefined {
  const [pools, ports] = [openIn(addresses.pools), openIn(addresses.nodePorts)];
  const counts = [
    ...(pools > 0 ? [`${plural(pools, 'allocation')} of addresses`] : []),
    ...(ports > 0 ? [`${plural(ports, 'pair')} of node ports`] : []),
  ];
  if (counts.length === 0) return undefined;
  return `${counts.join(' and ')} ${pools + ports === 1 ? 'is' : 'are'} proposed and may still move`;
}

/** For the top of a file whose addresses somebody is about to rely on. */
export function proposedNotes(plan: Plan): string[] {
  const text = proposedText(plan);
  return text === undefined ? [] : [`${text}: causeway plan --lock keeps them, before anybody is asked for anything.`];
}
