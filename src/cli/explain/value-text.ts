/** A value of a manifest on one line: lists with commas, blocks as JSON. */
export function valueText(value: unknown): string {
  if (value === undefined) return 'unset';
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object'))
    return value.length === 0 ? 'none' : value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
