// Workflow commands: GitHub shows each finding beside the line it is about.
import { type Finding, fieldOf } from '../finding.ts';
import type { ReportOptions } from './index.ts';
import { fileOf } from './place.ts';

export const formatGithub = (findings: readonly Finding[], { root }: ReportOptions): string =>
  findings.map((finding) => `${command(finding, root)}\n`).join('');

function command(finding: Finding, root: string | undefined): string {
  const { code, position, resource, path, message, fix, waived } = finding;
  const subject = [code, resource, path === undefined ? undefined : fieldOf(path)].filter(Boolean).join(' ');
  const place =
    position === undefined ? {} : { file: fileOf(finding, root), line: position.line, col: position.column };
  const properties = Object.entries({ ...place, title: subject }).map(
    ([key, value]) => `${key}=${escapeProperty(String(value))}`,
  );
  const note = waived === undefined ? '' : `\nwaived by ${waived.owner} until ${waived.expires}: ${waived.reason}`;
  const level = waived === undefined ? finding.severity : 'notice';
  return `::${level} ${properties.join(',')}::${escapeData(`${message}\nfix: ${fix}${note}`)}`;
}

/** A line break would end the command and could begin another one. */
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
