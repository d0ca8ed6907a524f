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

export const proposedAnswers: Answers = { domain: 'kubermatic.example.com', name: 'example' };

export const filesOf = (template: string, answers: Answers): TemplateFile[] => [
  ...manifestsOf(template, answers, schemaFile),
  { path: schemaFile, text: `${JSON.stringify(editorSchema(), null, 1)}\n` },
];

/** The manifests alone; `schema` is where the JSON Schema lies, as seen from their directory. */
export function manifestsOf(template: string, answers: Answers, schema: string): TemplateFile[] {
  const dir = join(root, template);
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));
  return paths
    .sort()
    .map((path) => ({ path, text: header(path, schema) + fill(readFileSync(join(dir, path), 'utf8'), answers) }));
}

/** Editors that know the YAML language server check and complete the file from the schema. */
const header = (path: string, schema: string): string =>
  `# yaml-language-server: $schema=${relative(join(somewhere, dirname(path)), join(somewhere, schema))}\n`;
/** Deep enough for a schema that lies some directories further up. */
const somewhere = '/a/b/c/d';

const fill = (text: string, answers: Answers): string =>
  text.replaceAll('{{domain}}', answers.domain).replaceAll('{{name}}', answers.name);
