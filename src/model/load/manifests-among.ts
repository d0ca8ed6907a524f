// The choice that reading a directory makes, for files that are not on disk, as those of a git revision. Pure.
import { type IgnoreRule, isIgnored, parseIgnoreFile } from './ignore-rules.ts';
import { ignoreFile, isSkippedName, renderIndexFile, secretsDirectory } from './read-tree.ts';

/** `names` are paths of files, relative to the root; `read` tells the text of one of them. */
export function manifestsAmong(names: readonly string[], read: (name: string) => string): string[] {
  const walk = (directory: string, inside: readonly string[], above: readonly IgnoreRule[]): string[] => {
    const entries = Map.groupBy(inside, (name) => name.slice(directory.length).split('/', 1)[0] ?? '');
    if (directory !== '' && entries.has(renderIndexFile)) return [];
    const own = directory + ignoreFile;
    const rules = entries.has(ignoreFile) ? [...above, ...parseIgnoreFile(read(own), directory)] : above;
    return [...entries].flatMap(([name, files]) => {
      const path = directory + name;
      const isDirectory = files[0] !== path;
      if (path === secretsDirectory || isSkippedName(name, !isDirectory)) return [];
      if (isIgnored(rules, path, isDirectory)) return [];
      return isDirectory ? walk(`${path}/`, files, rules) : [path];
    });
  };
  return walk('', names, []);
}
