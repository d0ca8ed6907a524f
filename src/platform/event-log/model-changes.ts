// What an edit changed, in one sentence per document.
import { sameJson } from '../../core/same-json.ts';
import type { Model, Resource } from '../../model/schema/index.ts';
import type { NewEvent } from '../../runtime/platform-runtime.ts';

const documentsOf = ({ platform, seeds, datacenters, clusters, pools }: Model): Map<string, Resource> =>
  new Map(
    [platform, ...seeds, ...datacenters, ...clusters, ...pools].map((one) => [`${one.kind}/${one.metadata.name}`, one]),
  );

export function modelChanges(before: Model | undefined, after: Model): NewEvent[] {
  if (before === undefined) return [];
  const [old, now] = [documentsOf(before), documentsOf(after)];
  const event = (subject: string, what: string): NewEvent => ({
    kind: 'change',
    level: 'info',
    subject,
    message: `${subject} was ${what}`,
  });
  const gone = [...old.keys()].filter((name) => !now.has(name)).map((name) => event(name, 'removed'));
  const changed = [...now].flatMap(([name, document]) => {
    const known = old.get(name);
    if (known === undefined) return [event(name, 'added')];
    return sameJson(known, document) ? [] : [event(name, 'changed')];
  });
  return [...gone, ...changed];
}
