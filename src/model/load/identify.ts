// Which resource a document is, also where it is not quite right: a reference to it must not count as dangling.
import { nearest } from '../../core/suggest.ts';
import { apiVersion, type Kind, kinds } from '../schema/index.ts';
import { type Told, valueAt } from './explain-issues.ts';
import { secretLook } from './literal-secrets.ts';
import { typeOf } from './type-words.ts';

interface Identity {
  readonly kind: Kind | undefined;
  readonly name: string | undefined;
  readonly resource: string | undefined;
}

export function identify(value: unknown): Identity {
  if (isForeign(valueAt(value, ['apiVersion']))) return { kind: undefined, name: undefined, resource: undefined };
  return identityOf(valueAt(value, ['kind']), valueAt(value, ['metadata', 'name']));
}

/** Other systems have a kind Cluster too; a slip in our own apiVersion does not make a document theirs. */
const isForeign = (found: unknown): boolean =>
  typeof found === 'string' &&
  !found.startsWith(`${group}/`) &&
  nearest(found.slice(0, 80), [apiVersion]) === undefined;
const group = apiVersion.slice(0, apiVersion.indexOf('/'));

/** From text that is no YAML, or too much of it. */
export function guessIdentity(text: string): Identity {
  const head = text.slice(0, 4096);
  return identityOf(/^kind: *["']?(\w+)/m.exec(head)?.[1], /^ +name: *["']?([\w.-]+)/m.exec(head)?.[1]);
}

function identityOf(writtenKind: unknown, writtenName: unknown): Identity {
  const kind = typeof writtenKind === 'string' ? kindLike(writtenKind) : undefined;
  // What is shown as the name of a resource must be a name; anything else is told by its own finding.
  const isName =
    typeof writtenName === 'string' && /^[\w.-]{1,80}$/.test(writtenName) && secretLook(writtenName) === undefined;
  const name = isName ? writtenName : undefined;
  return { kind, name, resource: kind !== undefined && name !== undefined ? `${kind}/${name}` : undefined };
}

const kindLike = (kind: string): Kind | undefined =>
  kinds.find((known) => known === kind) ?? (nearest(kind.slice(0, 40), kinds) as Kind | undefined);

/** apiVersion and kind: without them nothing else of the document can be judged. */
export function checkEnvelope(value: unknown): Told[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [noMapping(value)];
  const found = valueAt(value, ['apiVersion']);
  return isForeign(found)
    ? checkApiVersion(found)
    : [...checkApiVersion(found), ...checkKind(valueAt(value, ['kind']))];
}

const noMapping = (value: unknown): Told => ({
  code: 'CW-FIELD-TYPE',
  path: [],
  message: `the document must be a block of fields, found ${typeOf(value)}`,
  fix: 'Begin it with apiVersion, kind, metadata and spec.',
});

function checkApiVersion(found: unknown): Told[] {
  if (found === apiVersion) return [];
  const path = ['apiVersion'];
  const fix = `Write apiVersion: ${apiVersion}, or list the file in .causewayignore if it is not a manifest of Causeway.`;
  if (found === undefined) return [{ code: 'CW-FIELD-MISSING', path, message: 'apiVersion is missing', fix }];
  const shown = typeof found === 'string' ? JSON.stringify(found.slice(0, 80)) : typeOf(found);
  return [{ code: 'CW-API-VERSION', path, message: `apiVersion must be ${apiVersion}, found ${shown}`, fix }];
}

function checkKind(found: unknown): Told[] {
  const path = ['kind'];
  const all = `Write one of ${kinds.join(', ')}.`;
  if (found === undefined) return [{ code: 'CW-FIELD-MISSING', path, message: 'kind is missing', fix: all }];
  if (typeof found !== 'string')
    return [{ code: 'CW-FIELD-TYPE', path, message: `kind must be text, found ${typeOf(found)}`, fix: all }];
  if ((kinds as readonly string[]).includes(found)) return [];
  const near = kindLike(found);
  const fix = near === undefined ? all : `Did you mean ${near}?`;
  return [{ code: 'CW-KIND-UNKNOWN', path, message: `there is no kind ${JSON.stringify(found.slice(0, 80))}`, fix }];
}
