import { codes } from '../../model/codes.ts';
import { catalogue } from '../../plan/catalogue/index.ts';
import { code, markdownTable, markdownText } from '../../render/text/markdown.ts';
import { aboutOf } from '../explain/about.ts';
import { forms } from '../explain/type-words.ts';
import { page } from './page.ts';

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
