// The audit log of a platform, read from its directory: also while the platform is down.
import { existsSync } from 'node:fs';
import { auditDirectory, readAudit, verifyAudit } from '../../api/index.ts';
import { CausewayError, exitCodes } from '../../core/errors.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import { table } from '../views/table.ts';

interface Options {
  readonly dir?: string;
}

export async function runAuditList(options: Options & { lines: string; output: 'table' | 'json' }): Promise<number> {
  const lines = Number(options.lines);
  if (!Number.isInteger(lines) || lines < 1)
    throw new CausewayError('CW-CLI-NUMBER', `--lines "${options.lines}" is no number`, 'write 1 or more');
  const entries = readAudit(directoryOf(options)).slice(-lines);
  const rows = entries.map(({ seq, at, who, from, via, what, status }) => [
    ...[String(seq), at, who === '' ? '-' : who, from ?? via],
    ...[what, status === 0 ? '-' : String(status)],
  ]);
  const text = table(['ENTRY', 'AT', 'WHO', 'FROM', 'WHAT', 'STATUS'], rows);
  process.stdout.write(options.output === 'json' ? `${JSON.stringify(entries, null, 2)}\n` : text);
  return 0;
}

export async function runAuditVerify(options: Options): Promise<number> {
  const { entries, first, last, head, problems } = verifyAudit(directoryOf(options));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0)
    throw new CausewayError(
      'CW-AUDIT-CHANGED',
      `the audit log was changed: ${problems.length} ${problems.length === 1 ? 'place' : 'places'}`,
      'compare it with a copy from elsewhere; entries before the first of these places are as they were written',
      exitCodes.findings,
    );
  process.stdout.write(`${entries} entries (${first} to ${last}) are as they were written; the last one is ${head}\n`);
  return 0;
}

function directoryOf({ dir }: Options): string {
  const directory = auditDirectory(platformDirectory(dir));
  if (existsSync(directory)) return directory;
  throw new CausewayError(
    'CW-AUDIT-NONE',
    `there is no audit log in ${directory}`,
    'it is there once "causeway up" ran',
  );
}
