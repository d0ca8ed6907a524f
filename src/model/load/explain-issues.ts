// What zod found, as findings: every sentence says the field, what is wrong, and what would be right.
import type { z } from 'zod';
import { nearest } from '../../core/suggest.ts';
import type { ReadingCode } from '../codes.ts';
import { fieldOf, type Path } from '../finding.ts';
import type { Part } from './positions.ts';
import { fieldElsewhere, fieldsAt, isInsideReference, purposeOf, schemaAt } from './schema-shape.ts';
import { explainType } from './type-words.ts';
import { explainValue } from './value-words.ts';

export interface Told {
  readonly code: ReadingCode;
  readonly path: Path;
  readonly message: string;
  readonly fix: string;
  readonly part?: Part;
  /** The field that an unknown one was meant to be. */
  readonly meant?: Path;
}

type Issue = z.core.$ZodIssue;

/** One thing to tell: an issue, or one of its unknown fields. */
interface Item {
  readonly issue: Issue;
  readonly path: Path;
  readonly unknown: boolean;
}

export interface Explained {
  readonly told: readonly Told[];
  /** How many there are beyond `limit`. */
  readonly left: number;
}

export interface ExplainOptions {
  readonly limit: number;
  /** Fields that nothing may be told about, because they hold secrets. */
  readonly isHidden?: (path: Path) => boolean;
}

export function explainIssues(
  issues: readonly Issue[],
  value: unknown,
  schema: z.ZodType,
  { limit, isHidden = () => false }: ExplainOptions,
): Explained {
  const items = issues.flatMap(itemsOf).filter(({ path }) => !isHidden(path));
  const causes = withoutConsequences(items);
  const told = causes.slice(0, limit).map((item) => explainItem(item, value, schema));
  return { told: withoutMeant(told), left: causes.length - told.length };
}

/** A misspelled field leaves its block undecided, and a text is no list that is too short: only the cause is told. */
function withoutConsequences(items: readonly Item[]): readonly Item[] {
  const spoilt = new Set<string>();
  for (const { issue, path, unknown } of items) {
    if (unknown) spoilt.add(fieldOf(path.slice(0, -1)));
    else if (issue.code === 'invalid_type') spoilt.add(fieldOf(path));
  }
  const follows = ({ issue, path, unknown }: Item): boolean =>
    !unknown && issue.code !== 'invalid_type' && spoilt.has(fieldOf(path));
  return items.filter((item) => !follows(item));
}

function itemsOf(issue: Issue): Item[] {
  const path = issue.path as Path;
  if (issue.code !== 'unrecognized_keys') return [{ issue, path, unknown: false }];
  return issue.keys.map((key) => ({ issue, path: [...path, key], unknown: true }));
}

function explainItem({ issue, path, unknown }: Item, value: unknown, schema: z.ZodType): Told {
  const inReference = isInsideReference(schema, path);
  if (unknown) return inReference ? unknownInReference(path, schema) : unknownField(path, schema);
  const found = valueAt(value, path);
  if (found === undefined) return missingField(path, schema);
  if (inReference) return { ...notAReference, path, message: `${fieldOf(path)} ${notAReference.message}` };
  const told = issue.code === 'invalid_type' ? explainType(issue.expected, found) : explainValue(issue, found);
  return { ...told, path, message: `${fieldOf(path)} ${told.message}` };
}

/** Neither the value nor an unknown key is repeated: either could be the secret itself. */
const notAReference = {
  code: 'CW-FIELD-VALUE',
  message: 'is not a reference; its value is not shown, because it could be the secret itself',
  fix: 'Write {env: NAME}, {file: path} or {secret: {name: NAME}}; if it was the secret, change it.',
} as const;

function unknownInReference(path: Path, schema: z.ZodType): Told {
  const block = path.slice(0, -1);
  const near = nearest(String(path.at(-1)).slice(0, 80), fieldsAt(schema, block));
  if (near !== undefined) return unknownField(path, schema);
  return { ...notAReference, path: block, message: `${fieldOf(block)} has a field that does not exist` };
}

/** A required field that is there, only misspelled, is not missing too. */
function withoutMeant(told: readonly Told[]): readonly Told[] {
  const meant = new Set(told.flatMap(({ meant }) => (meant === undefined ? [] : [fieldOf(meant)])));
  return told.filter(({ code, path }) => code !== 'CW-FIELD-MISSING' || !meant.has(fieldOf(path)));
}

function unknownField(path: Path, schema: z.ZodType): Told {
  const [block, key] = [path.slice(0, -1), String(path.at(-1))];
  const shown = key.slice(0, 80);
  const near = nearest(shown, fieldsAt(schema, block));
  return {
    code: 'CW-FIELD-UNKNOWN',
    path,
    part: 'key',
    message: `${fieldOf([...block, shown])} does not exist`,
    fix: near === undefined ? unknownFix(key, block, schema) : `Did you mean ${near}?`,
    ...(near === undefined ? {} : { meant: [...block, near] }),
  };
}

function unknownFix(key: string, block: Path, schema: z.ZodType): string {
  if (key === '<<') return 'Merge keys are not supported; write the fields out, or use an alias for the whole block.';
  const elsewhere = fieldElsewhere(schema, key);
  if (elsewhere !== undefined) return `Check the indentation: there is ${elsewhere}.`;
  const fields = [...fieldsAt(schema, block)].sort();
  return fields.length > 0 ? `Fields here are ${fields.join(', ')}.` : 'Remove it.';
}

function missingField(path: Path, schema: z.ZodType): Told {
  const purpose = purposeOf(schemaAt(schema, path));
  const fix = purpose === undefined ? `Add ${path.at(-1)}.` : `Add ${path.at(-1)}: ${purpose}`;
  return { code: 'CW-FIELD-MISSING', path, message: `${fieldOf(path)} is missing`, fix };
}

export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at;
}
