// Kubernetes objects as one YAML file, each with a comment that says what it is for.
import { stringify } from 'yaml';
import { commentLines } from './one-line.ts';

export interface YamlDocument {
  readonly comment?: readonly string[];
  readonly object: object;
}

export function yamlFile(banner: readonly string[], documents: readonly YamlDocument[]): string {
  const head = commentLines('#', banner).join('\n');
  return [head, ...documents.map(documentText)].join('\n---\n').trimEnd().concat('\n');
}

function documentText({ comment, object }: YamlDocument): string {
  const lines = comment === undefined ? [] : commentLines('#', comment);
  // A width of 0 never folds a line, so that a diff shows the value that changed.
  return [...lines, stringify(object, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd()].join('\n');
}
