// What tests of the real worker share: a platform from the template `local`, and what root can see of a worker.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { reviewPath } from '../../../src/cli/pipeline.ts';
import { type PlatformHome, platformHome } from '../../../src/control-plane/home.ts';
import type { Model } from '../../../src/model/schema/index.ts';
import type { Plan } from '../../../src/plan/schema/index.ts';
import { controlGroupRoots } from '../../../src/workers/real/control-groups.ts';
import { type Layout, layoutOf, namespaceFile } from '../../../src/workers/real/layout.ts';
import { causeway } from '../../support/cli.ts';
import type { Undo } from '../../support/gateway/undo.ts';
import { needProgram } from '../../support/programs.ts';
import { temporaryDirectory } from '../gateway/world.ts';

export const cluster = 'tunneling';

export interface Scene {
  readonly home: PlatformHome;
  readonly layout: Layout;
  readonly plan: Plan;
  readonly model: Model;
}

/** Whether this run may make namespaces: only root may, and CI is root. */
export function needRoot(t: TestContext): boolean {
  const tools = [needProgram(t, 'ip'), needProgram(t, 'nft'), needProgram(t, 'runc')];
  if (tools.includes(undefined)) return false;
  if (process.getuid?.() === 0) return true;
  t.skip('only root can have a real worker.');
  return false;
}

export async function createScene(t: Undo): Promise<Scene> {
  const directory = path.join(temporaryDirectory(t, 'real'), 'platform');
  const { code, stderr } = causeway(['init', directory, '--template', 'local']);
  if (code !== 0) throw new Error(stderr);
  const { planned } = await reviewPath(directory);
  if (planned === undefined) throw new Error('the template cannot be planned');
  const home = platformHome(directory);
  return { home, layout: layoutOf(home, cluster), ...planned };
}

/** Everything of a worker that this machine still has. */
export function leftovers({ id, router, worker, hostInterface, controlGroup, run }: Layout): string[] {
  const files = [
    ...[router, worker].map(namespaceFile),
    `/sys/class/net/${hostInterface}`,
    run,
    `/run/causeway-workers/${id}`,
    ...controlGroupRoots().map((root) => path.join(root, controlGroup)),
  ].filter(existsSync);
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .filter((line) => line.includes(run) || line.includes(id));
  return [...files, ...mounts, ...processesNaming(run)];
}

const processesNaming = (text: string): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => wordsOf(pid).includes(text))
    .map((pid) => `process ${pid}: ${wordsOf(pid)}`);

function wordsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    // It ended meanwhile.
    return '';
  }
}
