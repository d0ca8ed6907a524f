// What etcd's own tools do with files, without an etcd: a snapshot is a text, a data directory holds it.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const etcdctl = (content: string): string => `#!/bin/sh
while [ $# -gt 0 ] && [ "$1" != save ]; do shift; done
[ $# -eq 0 ] || cat '${content}' >"$2"
`;

const etcdutl = `#!/bin/sh
[ "$2" = restore ] || exit 0
mkdir -p "$5/member" && cat "$3" >"$5/member/db"
`;

/** A directory of programs, and what the next snapshot holds. */
export function etcdTools(directory: string): { readonly dir: string; hold(text: string): void } {
  const [dir, content] = [path.join(directory, 'tools'), path.join(directory, 'content')];
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, 'etcdctl'), etcdctl(content), { mode: 0o755 });
  writeFileSync(path.join(dir, 'etcdutl'), etcdutl, { mode: 0o755 });
  return { dir, hold: (text) => writeFileSync(content, text) };
}
