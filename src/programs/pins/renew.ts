// Renews what is known of the Go modules that programs are built from, after a version in the catalogue has changed:
//   node src/programs/pins/renew.ts             sums of Go modules; Go asks its checksum database about each
//   node src/programs/pins/renew.ts downloads   SHA-256 of official downloads, as their publishers tell them
// Read the diff before it is committed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { programs } from '../catalogue/index.ts';
import type { Program } from '../catalogue/program.ts';
import { programsConfig } from '../config.ts';
import { buildEnvironment, moduleFileOf } from '../go-build.ts';
import { moduleFile } from '../go-module.ts';
import { needGo } from '../go-toolchain.ts';
import { downloadName, fileOf, publishedDigest } from '../official.ts';
import { runTool } from '../run-tool.ts';
import { downloadSums, pinDirectory } from './pins.ts';

/** Whatever it is built for. */
const systems = ['linux/amd64', 'linux/arm64', 'darwin/amd64', 'darwin/arm64'];

const platforms = ['linux', 'darwin'].flatMap((os) => ['x64', 'arm64'].map((cpu) => ({ os, cpu })));

interface Wanted {
  readonly module: string;
  readonly version: string;
  readonly siblings: string | undefined;
  readonly packages: string[];
}

function wantedModules(): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const { go, versions } of Object.values<Program>(programs))
    for (const each of go === undefined ? [] : versions) {
      const { path: module, version } = go?.module(each) ?? { path: '', version: '' };
      const known = wanted.get(`${module}@${version}`) ?? {
        module,
        version,
        siblings: go?.siblings?.(each),
        packages: [],
      };
      known.packages.push(go?.package ?? '');
      wanted.set(`${module}@${version}`, known);
    }
  return [...wanted.values()];
}

const config = programsConfig();
const go = await needGo('pins', config);
const env = buildEnvironment(config);

async function run(cwd: string, args: string[], more: NodeJS.ProcessEnv = {}): Promise<void> {
  const { code, stderr } = await runTool(go.program, args, { cwd, env: { ...env, ...more } });
  if (code !== 0) throw new Error(`go ${args.join(' ')}: ${stderr.slice(-2000)}`);
}

async function renewModules(): Promise<void> {
  for (const { module, version, siblings, packages } of wantedModules()) {
    const work = mkdtempSync(path.join(tmpdir(), 'causeway-pins-'));
    const theirs = await moduleFileOf(`${module}@${version}`, go, work, env);
    writeFileSync(path.join(work, 'go.mod'), moduleFile(theirs, { module, version }, siblings));
    for (const flag of ['-mod=mod', '-mod=readonly'])
      for (const system of systems) {
        const [GOOS, GOARCH] = system.split('/');
        // Some programs are for Linux only.
        await run(work, ['list', flag, ...(GOOS === 'linux' ? [] : ['-e']), '-deps', ...packages], { GOOS, GOARCH });
      }
    const pin = fileURLToPath(pinDirectory(module, version));
    mkdirSync(pin, { recursive: true });
    for (const file of ['go.mod', 'go.sum']) writeFileSync(path.join(pin, file), readFileSync(path.join(work, file)));
    rmSync(work, { recursive: true });
    process.stdout.write(`${module} ${version}\n`);
  }
}

async function renewDownloads(): Promise<void> {
  const sums = new Map<string, string>();
  for (const program of Object.values<Program>(programs))
    for (const version of program.versions)
      for (const platform of platforms) {
        const source = program.official?.(version, platform, config.mirrors);
        if (source === undefined) continue;
        const name = downloadName({ program, version }, fileOf(source), { platform });
        sums.set(name, await publishedDigest(source, config));
      }
  const head =
    readFileSync(downloadSums(), 'utf8')
      .match(/^#.*\n/gm)
      ?.join('') ?? '';
  const lines = [...sums].sort().map(([name, digest]) => `${digest}  ${name}\n`);
  writeFileSync(downloadSums(), head + lines.join(''));
}

await (process.argv[2] === 'downloads' ? renewDownloads() : renewModules());
