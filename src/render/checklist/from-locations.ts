// What a location with a seed of its own asks for: flows and names that other rows planned already.

import { areWorkersIn, isOfSeed, masterNodes, seedPlace, users } from '../../plan/index.ts';
import type { Answers, Site } from '../../plan/installation/index.ts';
import type { Flow, Plan } from '../../plan/schema/index.ts';
import { flowText, recordText, shortened } from './from-plan.ts';

export function locationAnswers(plan: Plan): Answers {
  const { sites } = plan.installation;
  const own = sites.filter(({ hasOwnSeed }) => hasOwnSeed);
  const flows = (isMeant: (flow: Flow, site: Site) => boolean): string[] =>
    shortened([
      ...new Set(
        own.flatMap((site) => plan.flows.filter((flow) => isMeant(flow, site)).map((flow) => flowText(plan, flow))),
      ),
    ]);
  const wildcards = plan.dns.records.filter(
    ({ name, place }) => name.startsWith('*.') && own.some((site) => isOfSeed(place, site.seed)),
  );
  return {
    'INT-5': flows(({ from, to }, { seed }) => from === masterNodes && to === seedPlace(seed, 'api')),
    'INT-6': flows(({ from, to }, site) => areWorkersIn(from, site.name) && reachesClusters(to, site)),
    'INT-7': shortened(wildcards.map(recordText)),
    'INT-8': own.map((site) => sameSite(sites, site)),
    'INT-9': flows(({ from, to }, site) => from === users && reachesClusters(to, site)),
  };
}

function sameSite(sites: readonly Site[], { name, nodeNetworks, seed }: Site): string {
  const there = sites.find((site) => site.kind === 'Seed' && site.name === seed)?.nodeNetworks ?? [];
  return `${name}: workers in ${nodeNetworks.join(' ')}, seed in ${there.join(' ')}`;
}

/** Where control planes are reached at a seed, whatever the strategy is. */
const reachesClusters = (place: string, { seed }: Site): boolean =>
  (['gateway', 'load-balancers', 'nodes'] as const).some((part) => place === seedPlace(seed, part));
