import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { CausewayError, exitCodes } from '../../core/errors.ts';
import { renderPlan, type WriteResult, writeArtefacts } from '../../render/index.ts';
import { fails, printFindings, reviewPath } from '../pipeline.ts';
import { platformDirectory } from '../up/choose-directory.ts';

interface Options {
  readonly out: string;
  readonly only?: readonly string[];
  readonly check?: boolean;
  readonly force?: boolean;
}

/** The checklist shows what is still open, so it is the one artefact that findings do not hold back. */
const always = 'checklist';

export async function runRender(dir: string | undefined, options: Options): Promise<number> {
  const path = platformDirectory(dir);
  const reviewed = await reviewPath(path);
  needOwnDirectory(path, options.out, reviewed.files);
  const { planned, findings } = reviewed;
  const code = printFindings(reviewed, process.stderr);
  if (planned === undefined) return code;
  if (fails(findings) && options.only?.join() !== always) throw heldBack();
  const only = options.only === undefined ? {} : { only: options.only };
  const files = renderPlan(planned.plan, only);
  const result = await writeArtefacts(files, options.out, {
    ...only,
    check: options.check ?? false,
    force: options.force ?? false,
  });
  if (options.check) return reportDrift(result, options.out) ? code : exitCodes.findings;
  reportWritten(result);
  return code;
}

const heldBack = (): CausewayError =>
  new CausewayError(
    'CW-RENDER-FINDINGS',
    'nothing was written, because the manifests have errors',
    `mend the findings above; render --only ${always} shows what is open`,
    exitCodes.findings,
  );

function reportWritten({ written, removed, unchanged }: WriteResult): void {
  const lines = [
    ...written.map((file) => `wrote ${file}`),
    ...removed.map((file) => `removed ${file}`),
    `${unchanged.length} unchanged`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** True when the directory is as it should be. */
function reportDrift({ drift }: WriteResult, out: string): boolean {
  process.stdout.write(
    drift.length === 0 ? `${out} is up to date\n` : drift.map(({ state, path }) => `${state} ${path}\n`).join(''),
  );
  return drift.length === 0;
}

// Where `render` may write: beside the manifests or below them, never where they are.

/**
 * Output in the directory of the manifests, or above it, would be read as manifests by the next command. Manifests that
 * lie in a directory of output, or below it, would not be read any more: their clusters would be gone.
 */
function needOwnDirectory(manifests: string, out: string, files: readonly string[] = []): void {
  if (manifests === '-') return;
  const directory = statSync(manifests).isDirectory() ? manifests : path.dirname(manifests);
  const target = realPath(out);
  if (contains(target, realPath(directory)))
    throw noOutput(
      out,
      directory,
      'is the directory of the manifests, or above it: what is written there would be read as manifests',
    );
  const places = new Map(files.map((file) => [path.dirname(file), file]));
  const hidden = [...places].find(([place]) => contains(target, realPath(path.join(directory, place))));
  if (hidden !== undefined)
    throw noOutput(
      out,
      directory,
      `holds manifests, as ${hidden[1]}: what lies beside output is not read, so they would be gone`,
    );
}

const noOutput = (out: string, directory: string, why: string): CausewayError =>
  new CausewayError(
    'CW-RENDER-OUT',
    `--out ${out} ${why}`,
    `choose a directory of its own, as in --out ${path.join(directory, 'out')}`,
  );

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
