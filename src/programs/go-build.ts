import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withLock } from '../sys/lock.ts';
import { type GoRecipe, goCpu, goOs } from './catalogue/program.ts';
import type { ProgramsConfig } from './config.ts';
import { badModules, SourceUnavailable, unproven } from './errors.ts';
import { languageOf, moduleFile } from './go-module.ts';
import { type Go, needGo } from './go-toolchain.ts';
import type { InstallRequest, Obtained } from './obtain.ts';
import { goPin } from './pins/pins.ts';
import { runTool, type ToolResult } from './run-tool.ts';

/** Built from the module that its project publishes. Slow, but it works wherever a Go module proxy does. */
export async function fromSource(request: InstallRequest, config: ProgramsConfig): Promise<Obtained | undefined> {
  const recipe = request.program.go;
  if (recipe === undefined) return undefined;
  const { path: module, version } = recipe.module(request.version);
  const pin = goPin(module, version, config.pins);
  const pinned = pin && {
    mod: await readFile(new URL('go.mod', pin), 'utf8'),
    sum: await readFile(new URL('go.sum', pin), 'utf8'),
  };
  const go = await needGo(request.subject, config, pinned && languageOf(pinned.mod));
  // One after the other: two at once take as long, and packages they share are compiled once.
  return withLock(path.join(config.cache, 'build.lock'), () => build(recipe, go, request, config, pinned), {
    waiting: (owner) => config.progress.step(request.subject, `waiting for ${owner}, which is building something else`),
  });
}

interface Pinned {
  readonly mod: string;
  readonly sum: string;
}

async function build(
  recipe: GoRecipe,
  go: Go,
  request: InstallRequest,
  config: ProgramsConfig,
  pinned: Pinned | undefined,
): Promise<Obtained> {
  const { path: module, version } = recipe.module(request.version);
  const source = path.join(request.staging, 'source');
  // With all modules known nothing is to be found out, and no other Go to be fetched.
  const env = { ...buildEnvironment(config), ...(pinned && { GOTOOLCHAIN: 'local' }) };
  await mkdir(source);
  await writeModule(source, recipe, go, request, config, pinned);
  config.progress.step(request.subject, 'building');
  const flag = pinned === undefined ? '-mod=mod' : '-mod=readonly';
  const ran = await runTool(go.program, buildArguments(flag, recipe, request), {
    cwd: source,
    env,
    gently: true,
    onLine: counting(request.subject, config),
  });
  if (ran.code !== 0) throw refusal(`Go could not build ${recipe.package} ${version}`, request.subject, ran);
  const proof = pinned === undefined ? 'sums as in the checksum database of Go' : 'sums pinned';
  return { files: [request.program.file], how: `built with Go ${go.version} from ${module} ${version} (${proof})` };
}

async function writeModule(
  source: string,
  recipe: GoRecipe,
  go: Go,
  request: InstallRequest,
  config: ProgramsConfig,
  pinned: Pinned | undefined,
): Promise<void> {
  const env = buildEnvironment(config);
  if (pinned === undefined && (await isDatabaseOff(go, env))) throw unproven(request.subject, request.program.versions);
  const { path: module, version } = recipe.module(request.version);
  if (pinned !== undefined) await writeFile(path.join(source, 'go.sum'), pinned.sum);
  else config.progress.step(request.subject, 'asking for its Go module');
  const mod =
    pinned?.mod ??
    moduleFile(
      await moduleFileOf(`${module}@${version}`, go, source, env, request.subject),
      { module, version },
      recipe.siblings?.(request.version),
    );
  await writeFile(path.join(source, 'go.mod'), mod);
}

const isDatabaseOff = async (go: Go, env: NodeJS.ProcessEnv): Promise<boolean> =>
  (await runTool(go.program, ['env', 'GOSUMDB'], { env, cwd: '/' })).stdout.trim() === 'off';

/** The user's settings (proxy, caches) count; what would change the result, or leave it unproven, does not. */
export const buildEnvironment = ({ env, platform }: ProgramsConfig): NodeJS.ProcessEnv => ({
  ...env,
  GO111MODULE: 'on',
  GOWORK: 'off',
  // Some projects ask for a newer patch release of Go than the one that is there; Go fetches it.
  GOTOOLCHAIN: 'auto',
  GOFLAGS: '-buildvcs=false',
  GOOS: goOs(platform),
  GOARCH: goCpu(platform),
  CGO_ENABLED: '0',
  // Modules that are not compared with the checksum database. An empty list would be read from Go's own settings.
  GONOSUMDB: 'none.invalid',
  GOINSECURE: 'none.invalid',
});

export async function moduleFileOf(
  module: string,
  go: Go,
  cwd: string,
  env: NodeJS.ProcessEnv,
  subject = module,
): Promise<string> {
  const ran = await runTool(go.program, ['mod', 'download', '-json', module], { cwd, env });
  const answer = readJson(ran.stdout);
  if (ran.code !== 0 || answer.GoMod === undefined) {
    throw refusal(`Go could not get ${module}`, subject, { ...ran, stderr: answer.Error ?? ran.stderr });
  }
  return readFile(answer.GoMod, 'utf8');
}

function readJson(text: string): { GoMod?: string; Error?: string } {
  try {
    return JSON.parse(text) as { GoMod?: string; Error?: string };
  } catch {
    return {};
  }
}

function buildArguments(
  flag: string,
  { package: name, variables }: GoRecipe,
  { program, version, staging }: InstallRequest,
): string[] {
  const set = Object.entries(variables?.(version) ?? {}).map(([variable, value]) => `-X ${variable}=${value}`);
  const linker = ['-s -w', ...set].join(' ');
  return ['build', '-v', flag, '-trimpath', `-ldflags=${linker}`, '-o', path.join(staging, program.file), name];
}

/** Go names every module it fetches and every package it compiles. */
function counting(subject: string, { progress }: ProgramsConfig): (line: string) => void {
  let modules = 0;
  let packages = 0;
  return (line) => {
    if (line.startsWith('go: ')) {
      if (line.includes('downloading')) progress.step(subject, 'fetching its Go modules', `${++modules} modules`);
    } else if (/^[\w./~+-]+$/.test(line)) progress.step(subject, 'compiling', `${++packages} packages`);
  };
}

const unreachable =
  /dial tcp|no such host|i\/o timeout|connection refused|TLS handshake|proxyconnect|server misbehaving/i;
const unknown = /unknown revision|invalid version|not found|404|410 Gone|no matching versions/i;
/** How a proxy says that it does not have, or does not give out, one version of a module. */
const refused = /reading \S+: 403 Forbidden/i;

function refusal(what: string, subject: string, { stderr }: Pick<ToolResult, 'stderr'>): SourceUnavailable {
  if (/no space left on device/i.test(stderr)) throw Object.assign(new Error(stderr), { code: 'ENOSPC' });
  if (/SECURITY ERROR|checksum mismatch/.test(stderr))
    throw badModules(subject, /verifying \S+ checksum mismatch/.exec(stderr)?.[0] ?? complaint(stderr));
  if (unreachable.test(stderr))
    return new SourceUnavailable('offline', `${what}, because its module proxy cannot be reached`);
  if (unknown.test(stderr)) return new SourceUnavailable('absent', `${what}, because there is no such version`);
  if (refused.test(stderr))
    return new SourceUnavailable('absent', `${what}, because its module proxy does not give it out`);
  return new SourceUnavailable('failed', `${what}: ${complaint(stderr)}`);
}

/** The last lines that are no progress; module proxies may have passwords in their addresses. */
function complaint(stderr: string): string {
  const lines = stderr
    .trim()
    .split('\n')
    .filter((line) => /\s/.test(line) && !line.startsWith('go: downloading'));
  return (
    lines
      .slice(-3)
      .join(' ')
      .replace(/\/\/[^/@\s]+@/g, '//')
      .slice(0, 500) || 'it does not say why'
  );
}
