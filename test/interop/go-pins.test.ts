// Go itself judges what we pin: a module proxy that serves other bytes than were known is refused, although nobody asks a
// checksum database.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Program } from '../../src/programs/catalogue/program.ts';
import { programsConfig } from '../../src/programs/config.ts';
import { fromSource } from '../../src/programs/go-build.ts';
import { pinDirectory } from '../../src/programs/pins/pins.ts';
import { sha256, zip } from '../../src/programs/testing/archives.ts';
import { sandbox, serve } from '../../src/programs/testing/sandbox.ts';
import { needProgram } from '../support/programs.ts';

const module = { path: 'thing.example/thing', version: 'v1.0.0' };
const mod = `module ${module.path}\n\ngo 1.24\n`;
const main = 'package main\n\nfunc main() { println("v1.0.0") }\n';

const filesOf = (source: string): Record<string, string> => ({
  [`${module.path}@${module.version}/go.mod`]: mod,
  [`${module.path}@${module.version}/main.go`]: source,
});

/** As `go.sum` has it. */
function h1(files: Record<string, string>): string {
  const lines = Object.keys(files)
    .sort()
    .map((name) => `${sha256(files[name] ?? '')}  ${name}\n`);
  return `h1:${createHash('sha256').update(lines.join('')).digest('base64')}`;
}

const program: Program = {
  purpose: '',
  bundle: 'thing',
  versions: ['1.0.0'],
  file: 'thing',
  go: { module: () => module, package: module.path },
};

for (const [what, source] of [
  ['as it was', main],
  ['altered by a byte', main.replace('println', 'print')],
] as const)
  test(`a module ${what}`, async (t) => {
    const go = needProgram(t, 'go');
    if (go === undefined) return;
    const base = `/goproxy/${module.path}/@v/${module.version}`;
    const { origin } = await serve(t, {
      [`${base}.info`]: JSON.stringify({ Version: module.version }),
      [`${base}.mod`]: mod,
      [`${base}.zip`]: zip(filesOf(source)),
    });
    const box = sandbox(t, origin);
    const directory = pinDirectory(module.path, module.version, box.pins);
    mkdirSync(directory, { recursive: true });
    writeFileSync(
      new URL('go.mod', directory),
      `module causeway.example/build\n\ngo 1.24\n\nrequire ${module.path} ${module.version}\n`,
    );
    const sums = [`${module.version} ${h1(filesOf(main))}`, `${module.version}/go.mod ${h1({ 'go.mod': mod })}`];
    writeFileSync(new URL('go.sum', directory), sums.map((line) => `${module.path} ${line}\n`).join(''));
    const staging = path.join(box.root, 'staging');
    mkdirSync(staging);
    const env = {
      ...box.env,
      PATH: path.dirname(go),
      GOSUMDB: 'off',
      GOFLAGS: '',
      GOMODCACHE: path.join(box.root, 'modules'),
      GOCACHE: goCache(go),
    };
    t.after(() => execFileSync(go, ['clean', '-modcache'], { env }));
    const config = programsConfig({ ...box.options, env });
    const request = { subject: 'thing 1.0.0', program, version: '1.0.0', siblings: ['thing'], staging };
    if (source === main) {
      await fromSource(request, config);
      assert.ok(execFileSync(path.join(staging, 'thing'), { stdio: ['ignore', 'pipe', 'pipe'] }));
    } else
      await assert.rejects(fromSource(request, config), {
        code: 'CW-PROGRAM-CHECKSUM',
        message: /thing 1\.0\.0 was not built, .*verifying thing\.example\/thing@v1\.0\.0: checksum mismatch$/,
      });
  });

const goCache = (go: string): string => execFileSync(go, ['env', 'GOCACHE'], { encoding: 'utf8' }).trim();
