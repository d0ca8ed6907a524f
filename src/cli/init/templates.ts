// Templates are ordinary manifests with two placeholders, so that they can be read, checked and learnt from as they are.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { editorSchema } from '../../model/json-schema.ts';

export interface Answers {
  readonly domain: string;
  readonly name: string;
}
export interface TemplateFile {
  readonly path: string;
  readonly text: string;
}

const root = fileURLToPath(new URL('./templates/', import.meta.url));
const schemaFile = '.causeway/schema.json';

export const templateNames = (): string[] => readdirSync(root).sort();

export function filesOf(template: string, answers: Answers): TemplateFile[] {
  const dir = join(root, template);
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));
  const manifests = paths
    .sort()
    .map((path) => ({ path, text: header(path) + fill(readFileSync(join(dir, path), 'utf8'), answers) }));
  return [...manifests, { path: schemaFile, text: `${JSON.stringify(editorSchema(), null, 1)}\n` }];
}

/** Editors that know the YAML language server check and complete the file from the schema beside it. */
const header = (path: string): string => `# yaml-language-server: $schema=${relative(dirname(path), schemaFile)}\n`;

const fill = (text: string, answers: Answers): string =>
  text.replaceAll('{{domain}}', answers.domain).replaceAll('{{name}}', answers.name);
