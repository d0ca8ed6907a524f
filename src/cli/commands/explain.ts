import { CausewayError, exitCodes } from '../../core/errors.ts';
import { explainField } from '../explain/field-text.ts';
import { codeText, rowText } from '../explain/row-text.ts';
import { type Subject, subjectOf } from '../explain/subject.ts';
import { say } from '../started-as.ts';
import { platformDirectory } from '../up/choose-directory.ts';

interface Options {
  readonly dir?: string;
}

export async function runExplain(resource: string, field: string | undefined, options: Options): Promise<number> {
  say(await explained(subjectOf(resource), field, options.dir));
  return exitCodes.ok;
}

async function explained(subject: Subject, field: string | undefined, dir?: string): Promise<string> {
  switch (subject.is) {
    case 'document':
      // Planning is loaded only for those who ask about their own manifests.
      return (await import('../explain/effective-text.ts')).explainDocument(
        subject.kind,
        subject.name,
        field,
        platformDirectory(dir),
      );
    case 'schema':
      return explainField(subject.name, [subject.field, field ?? ''].filter(Boolean).join('.'));
    case 'code':
      refuseField(subject.code, field);
      return codeText(subject.code);
    case 'requirement':
      refuseField(subject.row.id, field);
      return rowText(subject.row);
  }
}

function refuseField(name: string, field: string | undefined): void {
  if (field !== undefined) throw new CausewayError('CW-CLI-FIELD', `${name} has no fields`, `leave out "${field}"`);
}
