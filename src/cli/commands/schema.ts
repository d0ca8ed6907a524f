import { CausewayError } from '../../core/errors.ts';
import { suggestion } from '../../core/suggest.ts';
import { crdOf } from '../../model/crd.ts';
import { editorSchema, lockJsonSchema, schemaOf, toSchema } from '../../model/json-schema.ts';
import { type Kind, kinds } from '../../model/schema/index.ts';
import { planSchema } from '../../plan/schema/index.ts';
import { yamlDocuments } from '../../render/text/yaml.ts';

const others = ['Lock', 'plan'];

export async function runSchema(kind: string | undefined, options: { crd?: boolean }): Promise<number> {
  const found = kind === undefined ? undefined : findKind(kind);
  process.stdout.write(
    options.crd ? yamlDocuments((found === undefined ? kinds : [found as Kind]).map(crdOf)) : json(found),
  );
  return 0;
}

const json = (kind: string | undefined): string => `${JSON.stringify(schemaFor(kind), null, 2)}\n`;

function schemaFor(kind: string | undefined): unknown {
  if (kind === undefined) return editorSchema();
  if (kind === 'Lock') return lockJsonSchema();
  return kind === 'plan' ? toSchema(planSchema) : schemaOf(kind as Kind);
}

function findKind(text: string): string {
  const known = [...kinds, ...others];
  const found = known.find((kind) => kind.toLowerCase() === text.toLowerCase().replace(/s$/, ''));
  if (found !== undefined) return found;
  throw new CausewayError('CW-CLI-KIND', `there is no kind "${text.slice(0, 80)}"`, suggestion(text, known));
}
