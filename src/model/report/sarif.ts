// SARIF 2.1.0, the format that code scanners and review tools exchange.
import { infoOf } from '../codes.ts';
import { type Finding, fieldOf } from '../finding.ts';
import { fileOf } from './formats.ts';
import type { ReportOptions } from './index.ts';

export function formatSarif(findings: readonly Finding[], { root }: ReportOptions): string {
  const used = [...new Set(findings.map(({ code }) => code))].sort();
  const ruleIndex = new Map(used.map((code, index) => [code, index]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'causeway', rules: used.map(ruleOf) } },
        // Columns count UTF-16 code units, as JavaScript does.
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => resultOf(finding, ruleIndex.get(finding.code) ?? 0, root)),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function ruleOf(code: string) {
  const info = infoOf(code);
  if (info === undefined) return { id: code };
  return {
    id: code,
    shortDescription: { text: info.title },
    fullDescription: { text: info.explanation },
    help: { text: `${info.explanation}\n\n${info.fix}` },
    defaultConfiguration: { level: info.severity },
    ...(info.rows.length > 0 ? { properties: { tags: info.rows } } : {}),
  };
}

function resultOf(finding: Finding, ruleIndex: number, root: string | undefined) {
  return {
    ruleId: finding.code,
    ruleIndex,
    level: finding.severity,
    message: { text: `${finding.message}\nfix: ${finding.fix}` },
    locations: [locationOf(finding, root)],
    ...(finding.waived === undefined ? {} : { suppressions: [suppressionOf(finding.waived)] }),
  };
}

function locationOf(finding: Finding, root: string | undefined) {
  const { position, resource, path } = finding;
  const name = [resource, path === undefined ? undefined : fieldOf(path)].filter(Boolean).join(' ');
  const file = fileOf(finding, root);
  return {
    ...(position === undefined || file === undefined
      ? {}
      : {
          physicalLocation: {
            artifactLocation: { uri: uriOf(file) },
            region: { startLine: position.line, startColumn: position.column },
          },
        }),
    ...(name === '' ? {} : { logicalLocations: [{ fullyQualifiedName: name }] }),
  };
}

/** A relative reference; the colon is written as %3A so that no file name reads as a scheme. */
const uriOf = (file: string): string => file.toWellFormed().split('/').map(encodeURIComponent).join('/');

const suppressionOf = ({ owner, reason, expires }: NonNullable<Finding['waived']>) => ({
  kind: 'external',
  status: 'accepted',
  justification: `${reason} (${owner}, until ${expires})`,
});
