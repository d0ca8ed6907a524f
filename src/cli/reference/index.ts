// Everything in the repository that is made from the sources: reference pages, schemas, CRDs and examples.
import { apiDescription } from '../../api/app.ts';
import { crds } from '../../model/crd.ts';
import { editorSchema, lockJsonSchema, schemaOf, toSchema } from '../../model/json-schema.ts';
import { kinds } from '../../model/schema/index.ts';
import { planSchema } from '../../plan/schema/index.ts';
import { manifestsOf, proposedAnswers } from '../init/templates.ts';
import { toYamlDocuments } from '../yaml-text.ts';
import { cliPage } from './cli-page.ts';
import { findingsPage } from './findings-page.ts';
import { indexPage } from './index-page.ts';
import { refusalsPage } from './refusals-page.ts';
import { requirementsPage } from './requirements-page.ts';
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
  ...crds().map(({ file, document }) => ({ path: `deploy/crds/${file}`, text: toYamlDocuments([document]) })),
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
