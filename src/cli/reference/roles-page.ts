// Who may do what by the API: least role of each route, and the fields of documents that are for admins.
import { type RouteAccess, routeAccess } from '../../api/index.ts';
import { adminFields, type Path } from '../../model/index.ts';
import { kinds } from '../../model/schema/index.ts';
import { code, markdownTable, markdownText } from '../../render/text/tables.ts';
import { page } from './page.ts';

export const rolesPage = (): string =>
  page('Roles', [
    'Who may do what by the page and the [API](openapi.json). Each role may do what the ones before it may: viewer, operator, admin. Whoever owns the directory of the platform is an admin, by the control socket, which no other user of the machine can open.',
    '## Routes',
    'The least role of each route. `none`: whoever reaches it, without a login. Nobody sees or ends sessions, tokens and kubeconfigs of others, except admins.',
    ...[...Map.groupBy(routeAccess(), ({ tag }) => tag)].map(([tag, routes]) => chapter(tag, routes)),
    '## Fields for admins',
    'An operator changes all fields of documents but these; they name secrets, files, variables, endpoints, authorities or logins ([decision](../decisions/0029-field-level-access-from-schemas.md)). A change that would touch one of them is refused, with their names.',
    markdownTable(
      ['document', 'fields that take the role admin'],
      kinds.map((kind) => [`[${kind}](${pageOf(kind)})`, fieldsCell(adminFields(kind))]),
    ),
  ]);

const chapter = (tag: string, routes: readonly RouteAccess[]): string =>
  [
    `### ${tag}`,
    markdownTable(
      ['route', 'least role', 'what it does'],
      routes.map(({ method, path, role = 'none', summary }) => [
        code(`${method} ${path}`),
        role,
        markdownText(summary),
      ]),
    ),
  ].join('\n\n');

const pageOf = (kind: string): string => `${kind.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}.md`;

const fieldsCell = (fields: readonly Path[]): string =>
  fields.map((path) => (path.length === 0 ? 'all of it' : code(path.join('.').replaceAll('.[]', '[]')))).join(' ');
