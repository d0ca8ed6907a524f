// Foreign programs that benchmarks measure or use. They come as those of the tests do.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../src/core/errors.ts';
import { installPrograms } from '../test/runner/install-programs.ts';
import { findProgram, howToInstall, type ProgramName } from '../test/support/programs.ts';

const streamModules = ['/usr/lib/nginx/modules', '/usr/lib64/nginx/modules', '/usr/local/lib/nginx/modules'];

/**
 * Paths of programs; installs what is missing as root on Debian. A benchmark without one of its programs is none, so what
 * is missing then is an error, told for all of them at once and before anything is measured.
 */
export async function needForeign<const Name extends ProgramName>(...names: Name[]): Promise<Record<Name, string>> {
  await installPrograms(names.filter(isMissing));
  const missing = names.filter(isMissing);
  if (missing.length > 0) throw lacking(missing);
  return Object.fromEntries(names.map((name) => [name, findProgram(name)])) as Record<Name, string>;
}

const isMissing = (name: ProgramName): boolean => {
  const found = findProgram(name);
  return found === undefined || (name === 'nginx' && !hasStreams(found));
};

/** nginx carries TCP by a module, which in most distributions is a file and a package of its own. */
const hasStreams = (nginx: string): boolean =>
  nginxStreamModule() !== '' || /--with-stream\s/.test(spawnSync(nginx, ['-V'], { encoding: 'utf8' }).stderr ?? '');

/** The line that loads nginx's stream module; empty where it is compiled in. */
export function nginxStreamModule(): string {
  const file = streamModules.map((directory) => path.join(directory, 'ngx_stream_module.so')).find(existsSync);
  return file === undefined ? '' : `load_module ${file};`;
}

const lacking = (missing: readonly ProgramName[]): CausewayError =>
  new CausewayError(
    'CW-CLI-BENCH',
    `the benchmark needs ${missing.join(', ')}, which this machine does not have`,
    `as root: ${howToInstall(...missing)}`,
  );
