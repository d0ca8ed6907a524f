// One document: text in, value or problem out. Plain YAML 1.2 (core schema), no tags, no merge keys, keys are text.
import { CORE_SCHEMA, constructFromEvents, defineMappingTag, mapTag, parseEvents } from 'js-yaml';
import { type Events, inspectEvents } from './inspect-events.ts';
import { badKey, explainYamlError, maxDepth, type YamlProblem } from './yaml-problems.ts';

/** `value` is undefined where the text holds no document (only comments), or an empty one. */
export type Parsed = { readonly value: unknown; readonly problem?: undefined } | { readonly problem: YamlProblem };

const textKeys = defineMappingTag<Record<string, unknown>>('tag:yaml.org,2002:map', {
  create: mapTag.create,
  has: mapTag.has,
  keys: mapTag.keys,
  get: mapTag.get,
  identify: mapTag.identify,
  addPair: (mapping, key, value) => {
    // `__proto__` would be harmless in the value, but not in every place that a value is copied to later.
    if (typeof key !== 'string' || key === '__proto__') return badKey;
    mapping[key] = value;
    return '';
  },
});
const schema = CORE_SCHEMA.withTags(textKeys);

export function parseYaml(text: string): Parsed {
  try {
    const events = eventsOf(text);
    const problem = inspectEvents(events, text);
    if (problem !== undefined) return { problem };
    const [value, ...others] = constructFromEvents(events, { source: text, schema });
    return others.length > 0 ? { problem: severalDocuments } : { value: value ?? undefined };
  } catch (error) {
    return { problem: explainYamlError(error) };
  }
}

/** Files are split into documents before; only the lock can get here. */
const severalDocuments: YamlProblem = {
  code: 'CW-YAML-SYNTAX',
  message: 'there is more than one document where one is expected',
  fix: 'Remove the lines with three hyphens and what follows them.',
  offset: 0,
};

export const eventsOf = (text: string): Events => parseEvents(text, { maxDepth });
