// What js-yaml refuses, in plain words. Nothing of the text is quoted: what looks like a tag or an alias may well be
// a password that begins with ! or *.
import { YAMLException } from 'js-yaml';
import type { ReadingCode } from '../codes.ts';

export interface YamlProblem {
  readonly code: ReadingCode;
  readonly message: string;
  readonly fix: string;
  /** Place in the text of the document. */
  readonly offset: number;
}

type Words = Omit<YamlProblem, 'offset'>;
const words = (code: ReadingCode, message: string, fix: string): Words => ({ code, message, fix });

export const directive = words(
  'CW-YAML-TAG',
  'a YAML directive (a line that begins with %) is not supported',
  'Remove the line.',
);
export const tag = words(
  'CW-YAML-TAG',
  'a YAML tag (a word that begins with !) is not supported',
  'Remove the tag; a value that begins with ! goes in quotes.',
);
export const badKey = 'a key must be text';
export const maxDepth = 64;

const known: readonly (readonly [RegExp, Words])[] = [
  [
    /duplicated mapping key/,
    words('CW-YAML-DUPLICATE-KEY', 'this key is written twice in the same mapping', 'Remove one of the two.'),
  ],
  [/a key must be text|complex keys/, words('CW-YAML-KEY', 'this key is not text', 'Put the key in quotes.')],
  [
    /maxDepth/,
    words(
      'CW-YAML-DEPTH',
      `the document is nested more than ${maxDepth} levels deep`,
      'Remove the superfluous brackets or indentation.',
    ),
  ],
  [
    /alias/,
    words(
      'CW-YAML-ALIASES',
      'this alias (a word that begins with *) refers to no anchor above it',
      'Add the anchor (&name) above, or put the value in quotes.',
    ),
  ],
  [/directive/i, directive],
  [/YAML version/, directive],
  [/tag/, tag],
  [/tab characters/, words('CW-YAML-SYNTAX', 'the line is indented with a tab', 'Indent with spaces.')],
  [/within a (single|double) quoted/, words('CW-YAML-SYNTAX', 'a quoted text does not end', 'Add the closing quote.')],
  [
    /within a flow collection/,
    words('CW-YAML-SYNTAX', 'a list or mapping in brackets does not end', 'Add the closing bracket.'),
  ],
  [
    /missed comma/,
    words(
      'CW-YAML-SYNTAX',
      'a comma is missing between two entries in brackets',
      'Add the comma, or put the value in quotes.',
    ),
  ],
  [/expected the node content/, words('CW-YAML-SYNTAX', 'there is a comma too many', 'Remove the comma.')],
  [
    /deficient indentation/,
    words(
      'CW-YAML-SYNTAX',
      'a text or list that began above does not end, or goes on with too little indentation',
      'Add the closing quote or bracket, or indent the line further.',
    ),
  ],
  [
    /bad indentation/,
    words(
      'CW-YAML-SYNTAX',
      'the indentation does not fit, or a value needs quotes',
      'Align the line with its neighbours; a value with ": ", or one that begins with @, % or `, goes in quotes.',
    ),
  ],
  [/expected ':'|multiline key/, words('CW-YAML-SYNTAX', 'a key has no colon after it', 'Write key: value.')],
  [
    /key-value separator/,
    words('CW-YAML-SYNTAX', 'a space is missing after the colon', 'Write key: value, with a space.'),
  ],
  [
    /end of the stream or a document separator/,
    words(
      'CW-YAML-SYNTAX',
      'the document goes on where it should end',
      'Check the indentation and the colons (key: value, with a space) of this line and the one above.',
    ),
  ],
  [
    /non-printable|JSON character|null byte/,
    words(
      'CW-YAML-SYNTAX',
      'there is a control character that YAML does not allow',
      'Remove it, or write it as an escape in double quotes.',
    ),
  ],
  [
    /escape|hexadecimal/,
    words(
      'CW-YAML-SYNTAX',
      'a backslash in double quotes begins no known escape',
      'Write \\\\ for a backslash, or use single quotes.',
    ),
  ],
  [
    /block scalar|chomping|indentation width|line break is expected/,
    words(
      'CW-YAML-SYNTAX',
      'the text after | or > is not right',
      'Write | or > alone, and the text on the next lines.',
    ),
  ],
  [
    /anchor/,
    words(
      'CW-YAML-SYNTAX',
      'an anchor (a word that begins with &) is not right here',
      'Remove it, or put the value in quotes.',
    ),
  ],
];
const other = words(
  'CW-YAML-SYNTAX',
  'this is not valid YAML',
  'Check quotes, brackets and indentation here and in the line above.',
);

export function explainYamlError(error: unknown): YamlProblem {
  // Escapes beyond Unicode surface as a RangeError of the language.
  if (!(error instanceof YAMLException)) return { ...other, offset: 0 };
  const [, found] = known.find(([pattern]) => pattern.test(error.reason)) ?? [undefined, other];
  return { ...found, offset: error.mark?.position ?? 0 };
}
