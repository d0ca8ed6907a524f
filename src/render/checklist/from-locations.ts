// What a location with a seed of its own asks for: flows and names that other rows planned already.
import type { Datacenter, Model } from '../../model/schema/index.ts';
import * as id from '../../plan/places/ids.ts';
import type { Flow, Plan } from '../../plan/schema/index.ts';
import type { Answers } from './from-model.ts';
import { flowText, recordText, shortened } from './from-plan.ts';

export function locationAnswers(plan: Plan, model: Model): Answers {
  const own = model.datacenters.filter(({ spec }) => spec.integration === 'II');
  const flows = (isMeant: (flow: Flow, datacenter: Datacenter) => boolean): string[] =>
    shortened([
      ...new Set(
        own.flatMap((dc) => plan.flows.filter((flow) => isMeant(flow, dc)).map((flow) => flowText(plan, flow))),
      ),
    ]);
  const wildcards = plan.dns.records.filter(
    ({ name, place }) => name.startsWith('*.') && own.some((dc) => id.isOfSeed(place, dc.spec.seed)),
  );
  return {
    'INT-5': flows(({ from, to }, dc) => from === id.masterNodes && to === id.seedPlace(dc.spec.seed, 'api')),
    'INT-6': flows(({ from, to }, dc) => id.areWorkersIn(from, dc.metadata.name) && reachesClusters(to, dc)),
    'INT-7': shortened(wildcards.map(recordText)),
    'INT-8': own.map(({ metadata, spec }) => sameSite(model, metadata.name, spec)),
    'INT-9': flows(({ from, to }, dc) => from === id.users && reachesClusters(to, dc)),
  };
}

function sameSite({ seeds }: Model, name: string, { nodes, seed }: Datacenter['spec']): string {
  const there = seeds.find(({ metadata }) => metadata.name === seed)?.spec.nodes.networks ?? [];
  return `${name}: workers in ${nodes.networks.join(' ')}, seed in ${there.join(' ')}`;
}

/** Where control planes are reached at a seed, whatever the strategy is. */
const reachesClusters = (place: string, { spec }: Datacenter): boolean =>
  (['gateway', 'load-balancers', 'nodes'] as const).some((part) => place === id.seedPlace(spec.seed, part));
