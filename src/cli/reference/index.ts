// Everything in the repository that is made from the sources: reference pages, schemas, CRDs and examples.
import { apiDescription } from '../../api/index.ts';
import { crds } from '../../model/crd.ts';
import { codes } from '../../model/index.ts';
import { editorSchema, lockJsonSchema, schemaOf, toSchema } from '../../model/json-schema.ts';
import { kinds } from '../../model/schema/index.ts';
import { catalogue } from '../../plan/catalogue/index.ts';
import { planSchema } from '../../plan/schema/index.ts';
import { code, markdownTable, markdownText } from '../../render/text/tables.ts';
import { yamlDocuments } from '../../render/text/yaml.ts';
import { aboutOf } from '../explain/field-text.ts';
import { forms } from '../explain/fields.ts';
import { manifestsOf, proposedAnswers } from '../init/templates.ts';
import { cliPage } from './cli-page.ts';
import { findingsPage, refusalsPage } from './findings-page.ts';
import { page } from './page.ts';
import { requirementsPage } from './requirements-page.ts';
import { rolesPage } from './roles-page.ts';
import { schemaPage } from './schema-page.ts';

export interface GeneratedFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

const manifestSchema = 'docs/reference/manifest.schema.json';

const examples = ['local', 'vsphere', 'behind-proxy', 'air-gapped'];
/** Directories that hold nothing but generated files. */
export const generatedDirectories = ['docs/reference', 'deploy/crds', ...examples.map((name) => `examples/${name}`)];

export const generatedFiles = (): GeneratedFile[] => [
  ...referenceFiles().map(({ path, text }) => ({ path: `docs/reference/${path}`, text })),
  ...crds().map(({ file, document }) => ({ path: `deploy/crds/${file}`, text: yamlDocuments([document]) })),
  ...examples.flatMap(exampleFiles),
];

function referenceFiles(): GeneratedFile[] {
  const kindPages = kinds.map((kind) => [kind, `${kebab(kind)}.md`] as const);
  return [
    ...kindPages.map(([kind, path]) => ({ path, text: schemaPage(kind, schemaOf(kind), kind !== 'AddressPool') })),
    { path: 'lock.md', text: schemaPage('Lock', lockJsonSchema(), false) },
    { path: 'plan.md', text: schemaPage('Plan', toSchema(planSchema), false) },
    { path: 'findings.md', text: findingsPage() },
    { path: 'requirements.md', text: requirementsPage() },
    { path: 'refusals.md', text: refusalsPage() },
    { path: 'cli.md', text: cliPage() },
    { path: 'roles.md', text: rolesPage() },
    { path: 'README.md', text: indexPage([...kindPages, ['Lock', 'lock.md'], ['Plan', 'plan.md']]) },
    { path: 'manifest.schema.json', text: json(editorSchema()) },
    { path: 'plan.schema.json', text: json(toSchema(planSchema)) },
    { path: 'openapi.json', text: json(apiDescription()) },
  ];
}

/** What `init` writes, without a copy of the schema in each of them. */
const exampleFiles = (name: string): GeneratedFile[] =>
  manifestsOf(name, proposedAnswers, `../../${manifestSchema}`).map(({ path, text }) => ({
    path: `examples/${name}/${path}`,
    text,
  }));

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const kebab = (kind: string): string => kind.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

export const indexPage = (kindPages: readonly (readonly [name: string, file: string])[]): string =>
  page('Reference', [
    'Made from the schemas, the finding codes, the requirements catalogue and the commands themselves, so it cannot be out of date.',
    '## Documents',
    markdownTable(
      ['document', 'what it is'],
      kindPages.map(([name, file]) => [`[${name}](${file})`, markdownText(aboutOf[name] ?? '')]),
    ),
    'JSON Schema for editors and scripts: [manifest.schema.json](manifest.schema.json), [plan.schema.json](plan.schema.json). The API of a running platform: [openapi.json](openapi.json). CustomResourceDefinitions: [deploy/crds](../../deploy/crds).',
    '## Lists',
    markdownTable(
      ['page', 'what it lists'],
      [
        ['[Commands](cli.md)', 'commands, options, exit codes'],
        ['[Roles](roles.md)', 'the least role of each route of the API, and the fields that are for admins'],
        ['[Findings](findings.md)', `all ${Object.keys(codes).length} finding codes, why they matter and what to do`],
        [
          '[Requirements](requirements.md)',
          `the requirements catalogue: ${catalogue.length} rows, what each asks for and where it is met`,
        ],
        ['[Refusals](refusals.md)', 'why a gateway did not carry a connection, and what to do'],
      ],
    ),
    '## Types',
    'How values are written. `map of` has names that you choose as keys.',
    markdownTable(
      ['type', 'written as'],
      Object.entries(forms).map(([title, form]) => [code(title), markdownText(form)]),
    ),
    '## Secrets and bundles',
    'A secret reference has exactly one of `env: NAME` (environment variable), `file: PATH` and `secret: {namespace, name, key}` (Kubernetes Secret). A CA bundle reference has exactly one of `file: PATH` and `configMap: {namespace, name, key}`.',
  ]);
