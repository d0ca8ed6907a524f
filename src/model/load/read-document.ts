// One document of a file: parsed, checked against the schema of its kind, searched for secrets.
import { z } from 'zod';
import type { Finding, Path } from '../finding.ts';
import { type Kind, type Resource, schemas } from '../schema/index.ts';
import { findingOf, type LoadedDocument, positionAt, positionOf } from './document.ts';
import { explainIssues, type Told } from './explain-issues.ts';
import { type FoundSecret, findSecrets } from './find-secrets.ts';
import { checkEnvelope, guessIdentity, identify } from './identify.ts';
import { secretLook } from './literal-secrets.ts';
import { parseYaml } from './parse-yaml.ts';
import type { Chunk } from './split-documents.ts';

export const maxDocumentLength = 1024 * 1024;
const maxFindings = 50;

/** `document` is undefined where a chunk holds none: only comments, or nothing after a marker. */
export interface ReadDocument {
  readonly document: LoadedDocument | undefined;
  readonly findings: readonly Finding[];
}
type Place = Pick<LoadedDocument, 'file' | 'text' | 'linesBefore'>;

export function readDocument(file: string, chunk: Chunk): ReadDocument {
  const place = { file, text: chunk.text, linesBefore: chunk.linesBefore };
  if (chunk.text.length > maxDocumentLength) return tooLarge(place);
  const parsed = parseYaml(chunk.text);
  const inComments = secretsInComments(place);
  if (parsed.problem !== undefined) {
    const { offset, code, ...rest } = parsed.problem;
    return unread(place, [findingOf(code, { ...rest, position: positionAt(place, offset) }), ...inComments]);
  }
  if (parsed.value === undefined) return { document: undefined, findings: inComments };
  const read = checkDocument(place, parsed.value);
  return inComments.length === 0 ? read : { ...read, findings: [...read.findings, ...inComments] };
}

function checkDocument(place: Place, value: unknown): ReadDocument {
  const identity = identify(value);
  const schema: z.ZodType = identity.kind === undefined ? z.unknown() : schemas[identity.kind];
  const secrets = findSecrets(value, schema);
  const envelope = checkEnvelope(value);
  const result = checkFields(value, identity.kind, envelope);
  const isValid = envelope.length === 0 && secrets.length === 0 && result?.success === true;
  const valid = isValid ? (result.data as Resource) : undefined;
  const document: LoadedDocument = { ...place, ...identity, value, valid };
  if (isValid) return { document, findings: [] };
  const isHidden = hiding(secrets);
  const issues = result?.error?.issues ?? [];
  const { told, left } = explainIssues(issues, value, schema, { limit: maxFindings, isHidden });
  const all = [...envelope.filter(({ path }) => !isHidden(path)), ...told];
  return { document, findings: tell(document, all, secrets, left) };
}

/** A misspelled kind is told once; the fields are judged as those of the kind that was meant. */
function checkFields(value: unknown, kind: Kind | undefined, envelope: readonly Told[]) {
  if (kind === undefined || envelope.some(({ path }) => path[0] !== 'kind')) return undefined;
  return schemas[kind].safeParse(envelope.length === 0 ? value : { ...(value as object), kind });
}

/** What zod says about a value that is a secret would repeat it, so the secret is all that is told there. */
function hiding(secrets: readonly FoundSecret[]): (path: Path) => boolean {
  const hidden = new Set(secrets.map(({ path }) => JSON.stringify(path)));
  return (path) => hidden.size > 0 && path.some((_, end) => hidden.has(JSON.stringify(path.slice(0, end + 1))));
}

function tell(
  document: LoadedDocument,
  told: readonly Told[],
  secrets: readonly FoundSecret[],
  left: number,
): Finding[] {
  const shown = secrets.slice(0, maxFindings);
  return [
    ...told.map((issue) => tellIssue(document, issue)),
    ...shown.map((secret) => tellSecret(document, secret)),
    ...tellTheRest(document, left + secrets.length - shown.length),
  ];
}

function tellIssue(document: LoadedDocument, { code, path, message, fix, part }: Told): Finding {
  const position = positionOf(document, path, part);
  return findingOf(code, { resource: document.resource, path: path.map(shortened), message, fix, position });
}

/** A key can be as long as a document; nobody wants to see all of it. */
const shortened = (step: string | number): string | number => (typeof step === 'string' ? step.slice(0, 80) : step);

function tellSecret(document: LoadedDocument, { inKey, path, message, fix }: FoundSecret): Finding {
  const position = positionOf(document, path, inKey ? 'key' : 'value');
  const shown = (inKey ? path.slice(0, -1) : path).map(shortened);
  return findingOf('CW-SECRET-LITERAL', { resource: document.resource, path: shown, message, fix, position });
}

function tellTheRest(document: LoadedDocument, count: number): Finding[] {
  if (count === 0) return [];
  const message = `the document has ${count} more ${count === 1 ? 'finding' : 'findings'}`;
  const fix = 'Correct what is shown and try again.';
  const position = positionOf(document, []);
  return [findingOf('CW-FINDINGS-LIMIT', { resource: document.resource, message, fix, position })];
}

function unread(place: Place, findings: readonly Finding[]): ReadDocument {
  return { document: { ...place, ...guessIdentity(place.text), value: undefined, valid: undefined }, findings };
}

function tooLarge(place: Place): ReadDocument {
  const size = (place.text.length / maxDocumentLength).toFixed(1);
  const message = `the document that starts here has ${size} MiB; 1 MiB is allowed`;
  const fix = 'Split it, or list the file in .causewayignore if it is no manifest.';
  return unread(place, [findingOf('CW-FILE-TOO-LARGE', { message, fix, position: positionAt(place, 0) })]);
}

function secretsInComments(place: Place): Finding[] {
  if (!place.text.includes('#')) return [];
  return [...place.text.matchAll(/^[ \t]*#(.*)$/gm)]
    .map((match) => ({ offset: match.index, look: secretLook(match[1]?.trim() ?? '') }))
    .filter(({ look }) => look !== undefined)
    .slice(0, maxFindings)
    .map(({ offset, look }) => commentSecret(positionAt(place, offset), `a comment holds ${look}`));
}

const commentSecret = (position: Finding['position'], message: string): Finding =>
  findingOf('CW-SECRET-LITERAL', {
    message,
    fix: 'Remove it from the comment; then change it, because it has been seen.',
    position,
  });
