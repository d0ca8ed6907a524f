// Files and names of the code that documents mention: "`src/a/b.ts` `createB`, `B`" says that the file defines both.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { projectRoot, readProjectFile } from './source-tree.ts';

export interface NamedCode {
  /** A file or a directory. */
  readonly path: string;
  /** What the document says that it defines. */
  readonly names: readonly string[];
}

const place = /`((?:src|test|web|bench|docs|deploy|examples|libexec)\/[^`\s]*)`((?:,?\s+`#?[A-Za-z_]\w*`(?!\/))*)/g;

export const namedCode = (markdown: string): NamedCode[] =>
  [...markdown.matchAll(place)].map(([, file = '', names = '']) => ({
    path: file,
    names: [...names.matchAll(/`#?(\w+)`/g)].map(([, name = '']) => name),
  }));

/** One line per path that is not there and per name that its file does not define. Of src/<name>/x.ts only src is looked for. */
export const missingCode = (markdown: string): string[] =>
  namedCode(markdown).flatMap(({ path: file, names }) => {
    const known = file.includes('<') ? path.posix.dirname(file.slice(0, file.indexOf('<') + 1)) : file;
    if (!existsSync(path.join(projectRoot, known))) return [`${known} is not there`];
    if (names.length === 0) return [];
    const code = codeOf(readProjectFile(file));
    return names.filter((name) => !defines(code, name)).map((name) => `${file} does not define ${name}`);
  });

/** Without comments. */
export const codeOf = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');

/** As a declaration, or as a member of a class, an interface or an object. */
export function defines(code: string, name: string): boolean {
  const declared = `\\b(?:class|interface|type|function\\*?|const|let)\\s+${name}\\b`;
  const member = `^\\s+(?:(?:async|get|set|static|readonly|override)\\s+)*#?${name}\\??(?:<[^>\\n]*>)?`;
  return new RegExp(`${declared}|${member}(?:: |\\s=\\s|\\([^;]*?\\)(?:: | \\{))`, 'm').test(code);
}
