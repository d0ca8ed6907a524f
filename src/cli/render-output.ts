// Where `render` may write: beside the manifests or below them, never where they are.
import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../core/errors.ts';

/** Output in the directory of the manifests, or above it, would be read as manifests by the next command. */
export function needOwnDirectory(manifests: string, out: string): void {
  if (manifests === '-') return;
  const directory = statSync(manifests).isDirectory() ? manifests : path.dirname(manifests);
  if (!contains(realPath(out), realPath(directory))) return;
  throw new CausewayError(
    'CW-RENDER-OUT',
    `--out ${out} is the directory of the manifests, or above it: what is written there would be read as manifests`,
    `choose a directory of its own, as in --out ${path.join(directory, 'out')}`,
  );
}

function contains(outer: string, inner: string): boolean {
  const between = path.relative(outer, inner);
  return between === '' || (between !== '..' && !between.startsWith(`..${path.sep}`));
}

/** Links resolved; what does not exist yet has none. */
function realPath(at: string): string {
  const whole = path.resolve(at);
  if (existsSync(whole)) return realpathSync(whole);
  return path.join(realPath(path.dirname(whole)), path.basename(whole));
}
