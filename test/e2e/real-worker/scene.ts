// What tests of the real worker share: a platform from the template `local`, and what root can see of a worker.
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { reviewPath } from '../../../src/cli/pipeline.ts';
import type { Model } from '../../../src/model/schema/index.ts';
import type { Plan } from '../../../src/plan/schema/index.ts';
import { type PlatformHome, platformHome } from '../../../src/runtime/local/home.ts';
import { allControlGroupRoots } from '../../../src/runtime/local/workers/real/control-groups.ts';
import { type Layout, layoutOf, namespaceFile } from '../../../src/runtime/local/workers/real/layout.ts';
import { causeway } from '../../support/cli.ts';
import type { Undo } from '../../support/gateway/undo.ts';
import { claimNetwork } from '../../support/loopback-network.ts';
import { needProgram, needRoot } from '../../support/programs.ts';
import { temporaryDirectory } from '../gateway/world.ts';

export const cluster = 'tunneling';

export interface Scene {
  readonly directory: string;
  readonly home: PlatformHome;
  readonly layout: Layout;
  readonly planned: { readonly plan: Plan; readonly model: Model };
  readonly endpoint: Plan['endpoints'][string];
  /** Of the seed's gateway. */
  readonly gateway: string;
}

/** Whether this run may make namespaces. */
export function needRealWorker(t: TestContext): boolean {
  const tools = [needProgram(t, 'ip'), needProgram(t, 'nft'), needProgram(t, 'runc')];
  return !tools.includes(undefined) && needRoot(t, 'a real worker');
}

export async function createScene(t: Undo): Promise<Scene> {
  const { network, release } = claimNetwork();
  t.after(release);
  const directory = path.join(temporaryDirectory(t, 'real'), 'platform');
  const { code, stderr } = causeway(['init', directory, '--template', 'local']);
  if (code !== 0) throw new Error(stderr);
  for (const file of globSync(path.join(directory, '**/*.yaml')))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('127.50.', `${network}.`));
  const { planned } = await reviewPath(directory);
  const endpoint = planned?.plan.endpoints[cluster];
  if (planned === undefined || endpoint === undefined) throw new Error('the template cannot be planned');
  const home = platformHome(directory);
  return { directory, home, layout: layoutOf(home, cluster), planned, endpoint, gateway: `${network}.0.2` };
}

/** Everything of a worker that this machine still has. */
export function remainsOf({ id, router, worker, hostInterface, controlGroup, run, root }: Layout): string[] {
  const files = [
    ...[router, worker].map(namespaceFile),
    `/sys/class/net/${hostInterface}`,
    run,
    `/run/causeway-workers/${id}`,
    ...allControlGroupRoots().map((hierarchy) => path.join(hierarchy, controlGroup)),
  ].filter(existsSync);
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .filter((line) => line.includes(run) || line.includes(id));
  return [...files, ...mounts, ...processesNaming(run), ...processesNaming(root)];
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
