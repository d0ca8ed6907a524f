// Secrets that are written into a document. The values leave this file only as places, never as text.
import type { z } from 'zod';
import { fieldOf, type Path } from '../finding.ts';
import { isSecretName, isUserWithPassword, type SecretLook, secretLook } from './literal-secrets.ts';
import { isSecretReference, schemaAt } from './schema-shape.ts';

export interface FoundSecret {
  readonly path: Path;
  readonly message: string;
  readonly fix: string;
  /** The path itself would tell it: a key like `password:hunter2`, written without the space. */
  readonly inKey: boolean;
}

type Report = (path: Path, look: SecretLook, inKey?: boolean) => void;

export function findSecrets(value: unknown, schema: z.ZodType | undefined): FoundSecret[] {
  const found: FoundSecret[] = [];
  const report: Report = (path, look, inKey = false) => found.push(describe(path, look, inKey));
  visit(value, [], { secret: false, schema, report });
  return found;
}

interface Place {
  /** A field above says by its name that this is a secret. */
  readonly secret: boolean;
  readonly schema: z.ZodType | undefined;
  readonly report: Report;
}

/** Names under which people put the value itself: `password: {value: …}`. */
const inlineNames = new Set(['value', 'data', 'stringData', 'plain', 'literal', 'content', 'text', 'inline', 'raw']);

function visit(value: unknown, path: Path, place: Place): void {
  if (typeof value === 'string' || typeof value === 'number') {
    const look = place.secret && value !== '' ? 'a password' : secretLook(String(value));
    if (look !== undefined) place.report(path, look);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, [...path, index], place);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) visitField(key, item, path, place);
  }
}

function visitField(key: string, item: unknown, path: Path, place: Place): void {
  const at = [...path, key];
  const look = secretLook(key);
  if (look !== undefined) place.report(at, look, true);
  const secret =
    isSecretName(key) ||
    (place.secret && inlineNames.has(key)) ||
    (typeof item === 'string' && isUserWithPassword(key, item)) ||
    standsForReference(at, item, place.schema);
  visit(item, at, { ...place, secret });
}

/** The schema wants a reference here, and a text stands in its place. */
const standsForReference = (path: Path, item: unknown, schema: z.ZodType | undefined): boolean =>
  (typeof item === 'string' || typeof item === 'number') &&
  schema !== undefined &&
  isSecretReference(schemaAt(schema, path));

const fixes: Record<SecretLook, string> = {
  'credentials in a URL':
    'Leave the credentials out of the URL, and refer to them where the field has a place for it (credentials: {env: NAME}).',
  'a private key': 'Keep the key in a file or Secret and refer to it: {file: path} or {secret: {name: NAME}}.',
  'an access token': 'Refer to it instead: {env: NAME}, {file: path} or {secret: {name: NAME}}. Then revoke the token.',
  'registry credentials': 'Keep them in a Secret and refer to it: {secret: {name: NAME}}.',
  'a password': 'Refer to it instead: {env: NAME}, {file: path} or {secret: {name: NAME}}. Then change it.',
};

function describe(path: Path, look: SecretLook, inKey: boolean): FoundSecret {
  const shown = (inKey ? path.slice(0, -1) : path).map((step) => (typeof step === 'string' ? step.slice(0, 80) : step));
  const field = fieldOf(shown) === '' ? 'the document' : fieldOf(shown);
  const message = inKey
    ? `${field} has a field whose name holds ${look}`
    : `${field} holds ${look} where only a reference belongs`;
  return { path, message, fix: fixes[look], inKey };
}
