// Values of manifests for people: lists with commas, references as words.

export function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'unset';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueText).join(', ');
  return typeof value === 'object' ? blockText(value) : String(value);
}

/** `{ secret: { namespace: a, name: b } }` reads "secret a/b". */
const blockText = (block: object): string =>
  Object.entries(block)
    .map(
      ([key, value]) => `${key} ${isBlock(value) ? Object.values(value).map(valueText).join('/') : valueText(value)}`,
    )
    .join(', ');

const isBlock = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A block as one line for each of its fields, anything else as one line. */
export const valueLines = (key: string, value: unknown): [key: string, value: string][] =>
  isBlock(value)
    ? Object.entries(value).map(([name, field]) => [key === '' ? name : `${key}.${name}`, valueText(field)])
    : [[key, valueText(value)]];
