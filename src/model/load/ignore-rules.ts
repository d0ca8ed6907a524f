// .causewayignore: the patterns people know from .gitignore. Comments, !, trailing slash, *, **, ?, [a-z].
export interface IgnoreRule {
  readonly negated: boolean;
  readonly onlyDirectories: boolean;
  /** Matches a path relative to the root that was read. */
  readonly pattern: RegExp;
}

/** `base` is the directory of the file, relative to the root, with a trailing slash or empty. */
export function parseIgnoreFile(text: string, base: string): IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const trimmed = line.replace(/(?<!\\)[ \t]+$/, '');
    return trimmed === '' || trimmed.startsWith('#') ? [] : [parseRule(trimmed, base)];
  });
}

function parseRule(line: string, base: string): IgnoreRule {
  const negated = line.startsWith('!');
  const onlyDirectories = line.endsWith('/');
  const body = line.slice(negated ? 1 : 0, onlyDirectories ? -1 : undefined).replace(/^\\(?=[#!])/, '');
  // A slash at the start or inside ties the pattern to its directory; without one it holds at every depth.
  const isTied = body.includes('/');
  const glob = body.replace(/^\//, '');
  const source = `^${literal(base)}${isTied ? '' : '(?:.*/)?'}${globSource(glob)}$`;
  return { negated, onlyDirectories, pattern: new RegExp(source) };
}

/** The last rule that matches decides. What lies in an ignored directory is never looked at. */
export function isIgnored(rules: readonly IgnoreRule[], path: string, isDirectory: boolean): boolean {
  const last = rules.findLast((rule) => (isDirectory || !rule.onlyDirectories) && rule.pattern.test(path));
  return last !== undefined && !last.negated;
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const parts = /\*\*\/|\/\*\*$|\*+|\?|\[!?[^\]/]+\]|\\.|[^*?[\\/]+|[\s\S]/g;

function globSource(glob: string): string {
  return [...glob.matchAll(parts)].map(([part]) => partSource(part)).join('');
}

function partSource(part: string): string {
  if (part === '**/') return '(?:[^/]+/)*';
  if (part === '/**') return '/.+';
  if (part.startsWith('*')) return '[^/]*';
  if (part === '?') return '[^/]';
  if (part.length > 2 && part.startsWith('[')) return classSource(part);
  return literal(part.length === 2 && part.startsWith('\\') ? part.slice(1) : part);
}

function classSource(part: string): string {
  const negated = part.startsWith('[!');
  const inner = part.slice(negated ? 2 : 1, -1).replace(/[\\^[\]]/g, '\\$&');
  const source = `[${negated ? '^/' : ''}${inner}]`;
  // `[z-a]` is a mistake of the person, and no reason to fail: taken as its characters.
  return isPattern(source) ? source : literal(part);
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
