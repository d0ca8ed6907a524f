// Order never decides about anything in a plan: the loader sorts, and what comes from elsewhere is sorted here.
import { byName } from '../core/names.ts';
import type { Model } from '../model/schema/index.ts';

/** The model itself where its lists are sorted already. */
export function sortedModel(model: Model): Model {
  const { platform, seeds, datacenters, clusters, pools } = model;
  const sorted = [seeds, datacenters, clusters, pools].every(isSorted);
  if (sorted) return model;
  return {
    platform,
    seeds: sortedByName(seeds),
    datacenters: sortedByName(datacenters),
    clusters: sortedByName(clusters),
    pools: sortedByName(pools),
  };
}

type Named = { readonly metadata: { readonly name: string } };

function isSorted(documents: readonly Named[]): boolean {
  for (let i = 1; i < documents.length; i++)
    if ((documents[i - 1] as Named).metadata.name > (documents[i] as Named).metadata.name) return false;
  return true;
}

const sortedByName = <Document extends Named>(documents: readonly Document[]): readonly Document[] =>
  [...documents].sort((a, b) => byName(a.metadata.name, b.metadata.name));
