// Wrong types in plain words: what YAML made of the text, what is asked for, how to write it.
import type { Told } from './explain-issues.ts';

type Words = Omit<Told, 'path' | 'part'>;

const wanted: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a block of fields',
  record: 'a block of fields',
};

export function typeOf(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a block of fields';
  return { string: 'text', boolean: `${value}`, number: 'a number' }[typeof value as string] ?? typeof value;
}

export function explainType(expected: string, found: unknown): Words {
  const seen =
    expected === 'int' && typeof found === 'number' ? 'a fraction, or a number beyond all limits' : typeOf(found);
  const message = `must be ${wanted[expected] ?? expected}, found ${seen}`;
  return { code: 'CW-FIELD-TYPE', message, fix: fixFor(expected, found) };
}

function fixFor(expected: string, found: unknown): string {
  if (found === null) return 'Write a value after the colon, or remove the field.';
  if (expected === 'string') return textFix(found);
  if (expected === 'boolean') return 'Write true or false, without quotes.';
  if (expected === 'array') return 'Write it as a list: [value], or one line with "- value" each.';
  if (expected === 'int' || expected === 'number') return numberFix(found);
  return 'Write its fields on the next lines, indented by two spaces.';
}

function textFix(found: unknown): string {
  if (Array.isArray(found)) return 'Write a single value, without brackets and hyphens.';
  return typeof found === 'object'
    ? 'Write the value on the same line, or remove the indented lines.'
    : 'Put it in quotes.';
}

const numberFix = (found: unknown): string =>
  typeof found === 'string' && /^\d+$/.test(found) ? 'Remove the quotes.' : 'Write digits only.';
