import { CausewayError, exitCodes } from '../../core/errors.ts';
import { infoOf } from '../../model/codes.ts';
import { type JsonSchema, lockJsonSchema, schemaOf, toSchema } from '../../model/json-schema.ts';
import type { Kind } from '../../model/schema/index.ts';
import { planSchema } from '../../plan/schema/index.ts';
import { codeText } from '../explain/code-text.ts';
import { effectiveText, selectSettings, settingsOf } from '../explain/effective-text.ts';
import { fieldText } from '../explain/field-text.ts';
import { findField } from '../explain/fields.ts';
import { type Subject, subjectOf } from '../explain/subject.ts';

interface Options {
  readonly dir: string;
}

export async function runExplain(resource: string, field: string | undefined, options: Options): Promise<number> {
  const subject = subjectOf(resource, []);
  process.stdout.write(await explained(subject, field, options.dir));
  return exitCodes.ok;
}

async function explained(subject: Subject, field: string | undefined, dir: string): Promise<string> {
  if (subject.is === 'document') return explainDocument(subject.kind, subject.name, field, dir);
  if (subject.is === 'schema')
    return explainField(subject.name, [subject.field, field ?? ''].filter(Boolean).join('.'));
  if (field !== undefined)
    throw new CausewayError('CW-CLI-FIELD', `${resourceOf(subject)} has no fields`, `leave out "${field}"`);
  return subject.is === 'code' ? explainCode(subject.code) : '';
}

const resourceOf = (subject: Subject): string => (subject.is === 'code' ? subject.code : '');

/** Of a kind alone, the fields of its spec are what somebody wants to know. */
function explainField(name: Kind | 'Lock' | 'Plan', field: string): string {
  const schema = schemaFor(name);
  return fieldText(name, findField(schema, field === '' && 'spec' in (schema.properties ?? {}) ? 'spec' : field, name));
}

function schemaFor(name: Kind | 'Lock' | 'Plan'): JsonSchema {
  if (name === 'Lock') return lockJsonSchema();
  return name === 'Plan' ? toSchema(planSchema) : schemaOf(name);
}

function explainCode(code: string): string {
  const info = infoOf(code);
  return info === undefined ? '' : codeText(code, info);
}

async function explainDocument(kind: Kind, name: string, field: string | undefined, dir: string): Promise<string> {
  const { printFindings, reviewPath } = await import('../pipeline.ts');
  const { planned, findings } = await reviewPath(dir);
  if (planned === undefined) {
    printFindings(findings, process.stderr);
    throw new CausewayError(
      'CW-CLI-UNREADABLE',
      `${dir} cannot be planned`,
      'mend the findings above',
      exitCodes.findings,
    );
  }
  const selected = selectSettings(settingsOf(planned.plan, kind, name), field);
  if (selected.length > 0) return effectiveText(`${kind}/${name}`, selected);
  // The field exists and simply is not inherited: say what it is, and refuse what does not exist at all.
  return explainField(kind, field ?? '');
}
