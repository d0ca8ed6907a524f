// The plan as it is printed: without what is internal, and with words for where settings come from.
import { getOrAdd } from '../core/collections.ts';
import type { Plan, PlanDocument, PlanSettings } from './schema/index.ts';
import { type OriginatedValue, originText, type Setting, type SettingRecord } from './settings/origin.ts';

type ShownRecord = PlanDocument['settings']['platform'];
type ShownSetting = ShownRecord[string];

export const planDocument = ({ installation: _, effective: __, settings, ...parts }: Plan): PlanDocument => {
  const { format, platform, places, ...others } = parts;
  return { format, platform, places, settings: shownSettings(settings), ...others };
};

/** Settings that clusters share are converted once, and shared again. */
function shownSettings({ platform, seeds, datacenters, clusters }: PlanSettings): PlanDocument['settings'] {
  const known = new Map<object, unknown>();
  const once = <In extends object, Out>(item: In, convert: (item: In) => Out): Out =>
    getOrAdd(known, item, () => convert(item)) as Out;
  const value = (item: OriginatedValue): Omit<ShownSetting, 'overrode'> =>
    once(item, () => ({ value: item.value, from: originText(item.from) }));
  const setting = (item: Setting): ShownSetting =>
    item.overrode === undefined
      ? value(item)
      : once(item, () => ({
          value: item.value,
          from: originText(item.from),
          overrode: (item.overrode ?? []).map(value),
        }));
  const mapped = <In, Out>(record: Readonly<Record<string, In>>, convert: (item: In) => Out): Record<string, Out> => {
    const out: Record<string, Out> = {};
    for (const key of Object.keys(record)) out[key] = convert(record[key] as In);
    return out;
  };
  const record = (settings: SettingRecord): ShownRecord => once(settings, () => mapped(settings, setting));
  return {
    platform: record(platform),
    seeds: mapped(seeds, record),
    datacenters: mapped(datacenters, record),
    clusters: mapped(clusters, record),
  };
}
