// Texts that escape rules tend to break: quotes, backslashes, specifiers, variables, blanks, control characters.
import fc from 'fast-check';

const characters = [...`"'\\\`$%;#=!&|<>(){}[]*?~^@:/ \t\n\r\u0001\u007f\u0085abn0x`, 'é', '✓', '\u{1f600}'];

export const hostileValue = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...characters) }, { weight: 1, arbitrary: fc.string() }))
  .map((parts) => parts.join('').replaceAll('\0', ''));

const known = [
  '',
  ' ',
  '$(id)',
  '$HOME',
  '%h',
  '%40',
  '%%',
  '\\',
  '\\n',
  '\\x41',
  '"',
  "'",
  "it's",
  'a;b',
  ';',
  '#a',
  'a\\\nb',
  'a\n',
];

/** The known ones, and some of the others: always the same. */
export const hostileTexts = (): string[] => [...known, ...fc.sample(hostileValue, { numRuns: 80, seed: 1 })];
