// A page of the reference from a schema: one table for the document, and one for each block in it.
import type { JsonSchema } from '../../model/json-schema.ts';
import { code, codeList, markdownTable, markdownText } from '../../render/text/tables.ts';
import { aboutOf, defaultsOf, inheritanceOf } from '../explain/field-text.ts';
import {
  choicesOf,
  exactlyOneOf,
  type Field,
  fieldsOf,
  forms,
  holderOf,
  limitsOf,
  mapValueOf,
  typeOf,
} from '../explain/fields.ts';
import { page } from './page.ts';

interface Block {
  readonly path: string;
  readonly schema: JsonSchema;
}

export function schemaPage(name: string, schema: JsonSchema, inherits: boolean): string {
  const spec = schema.properties?.spec;
  const root: Block = spec === undefined ? { path: '', schema } : { path: 'spec', schema: spec };
  const sections = [root, ...blocksBelow(root)].map((block) => section(block, inherits));
  return page(name, [markdownText(aboutOf[name] ?? ''), ...sections]);
}

/** Blocks that get a table; references to secrets and bundles are explained once, on the page of the types. */
const blocksBelow = (block: Block): Block[] =>
  fieldsOf(block.schema)
    .filter(({ schema }) => hasTable(schema))
    .flatMap(({ name, schema }) => {
      const below = { path: pathOf(block.path, name, schema), schema };
      return [below, ...blocksBelow(below)];
    });

const hasTable = (schema: JsonSchema): boolean => {
  const holder = holderOf(schema);
  return holder.title === undefined && fieldsOf(holder).length > 0;
};

/** `peers[]` is a list of blocks, `clusters.*` a block for each name. */
function pathOf(parent: string, name: string, schema: JsonSchema): string {
  const path = parent === '' ? name : `${parent}.${name}`;
  return path + suffixOf(schema);
}
function suffixOf(schema: JsonSchema): string {
  if (schema.items !== undefined) return `[]${suffixOf(schema.items)}`;
  const value = mapValueOf(schema);
  return value === undefined ? '' : `.*${suffixOf(value)}`;
}

function section({ path, schema }: Block, inherits: boolean): string {
  const keys = exactlyOneOf(schema);
  const lines = [
    path === '' ? '' : `## ${code(path)}`,
    path === 'spec' ? '' : markdownText(schema.description ?? ''),
    keys.length === 0 ? '' : `Set exactly one of ${codeList(keys)}.`,
    inherits ? inheritedWords(settingOf(path)) : '',
    markdownTable(
      ['field', 'type', 'required', 'description'],
      fieldsOf(schema).map((field) => row(path, field, inherits)),
    ),
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

const row = (path: string, { name, schema, required }: Field, inherits: boolean): string[] => [
  code(name),
  typeCell(pathOf(path, name, schema), schema),
  required ? 'yes' : '',
  markdownText(
    [schema.description, sentence(limitsOf(schema)), defaultWords(path, name, inherits)].filter(Boolean).join(' '),
  ),
];

function typeCell(path: string, schema: JsonSchema): string {
  const choices = choicesOf(schema);
  if (choices.length > 0) return `${schema.type === 'array' ? 'list of ' : ''}${codeList(choices)}`;
  const type = typeOf(schema);
  if (schema.const !== undefined) return code(type);
  const plain = type.replace(/^(\[\]|map of )+/, '');
  return type.slice(0, type.length - plain.length).replaceAll('[]', 'list of ') + linked(plain, path, schema);
}

function linked(type: string, path: string, schema: JsonSchema): string {
  if (hasTable(schema)) return `[${markdownText(type)}](#${anchor(path)})`;
  return forms[type] === undefined ? markdownText(type) : `[${type}](README.md#types)`;
}

function defaultWords(path: string, name: string, inherits: boolean): string {
  const values = inherits ? defaultsOf(settingOf(`${path}.${name}`)) : [];
  return values.length === 0 ? '' : `Default ${values.join('; or ')}.`;
}

function inheritedWords(setting: string): string {
  const inheritance = inheritanceOf(setting);
  return inheritance === undefined ? '' : markdownText(`Inherited ${inheritance}.`);
}

const settingOf = (path: string): string => path.replace(/^spec\./, '');
const sentence = (text: string | undefined): string =>
  text === undefined || text === '' ? '' : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
/** As GitHub makes it from the heading. */
const anchor = (path: string): string => path.toLowerCase().replace(/[^\w-]/g, '');
