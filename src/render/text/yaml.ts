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

const options = {
  // Kubernetes reads YAML 1.1, where a bare Yes is a boolean and 1:30 a number: such strings must be quoted.
  version: '1.1',
  // Never folds a line, so that a diff shows the value that changed.
  lineWidth: 0,
  aliasDuplicateObjects: false,
} as const;

/** One value as YAML that Kubernetes reads as it was meant. */
export const yamlText = (value: unknown): string => stringify(value, options);

function documentText({ comment, object }: YamlDocument): string {
  const lines = comment === undefined ? [] : commentLines('#', comment);
  return [...lines, yamlText(object).trimEnd()].join('\n');
}

/** Several values as one stream of documents. */
export const yamlDocuments = (documents: readonly unknown[]): string => documents.map(yamlText).join('---\n');
