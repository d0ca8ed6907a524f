// `go install package@version` refuses modules whose go.mod has replace lines, and Kubernetes and etcd have them. So
// programs are built in a small module of our own that requires theirs and repeats the replacements.

interface ModuleVersion {
  module: string;
  version: string;
}

interface Replacement {
  module: string;
  target: string;
  version: string | undefined;
}

/** Our go.mod, from theirs. `siblings` is the version of modules that theirs takes from directories beside it. */
export function moduleFile(theirs: string, { module, version }: ModuleVersion, siblings: string | undefined): string {
  const language = languageOf(theirs);
  const replaced = replacementsIn(theirs).map((replacement) => replaceLine(replacement, siblings));
  return [
    'module causeway.example/build',
    `go ${language}`,
    `require ${module} ${version}`,
    ...replaced.filter((line) => line !== undefined),
    '',
  ].join('\n');
}

/** The oldest Go that it can be built with. */
export const languageOf = (text: string): string => /^go\s+(\S+)/m.exec(text)?.[1] ?? '1.26';

export function replacementsIn(text: string): Replacement[] {
  const line = /^[ \t]*(?:replace[ \t]+)?([^\s/]\S*)(?:[ \t]+v\S+)?[ \t]+=>[ \t]+(\S+)(?:[ \t]+(v\S+))?/gm;
  return [...text.matchAll(line)].map(([, module = '', target = '', version]) => ({ module, target, version }));
}

function replaceLine({ module, target, version }: Replacement, siblings: string | undefined): string | undefined {
  if (version !== undefined) return `replace ${module} => ${target} ${version}`;
  // A directory of their repository, which we do not have; what they published of it has a version.
  return siblings === undefined ? undefined : `replace ${module} => ${module} ${siblings}`;
}
