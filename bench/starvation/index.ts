// Whether a quiet tenant is served while others do what they can against it: its round trip beside the same attackers
// against a port that only accepts and closes, and what that costs the gateway.

import type { ChildProcess } from 'node:child_process';
import { clientHello } from '../../src/gateway/supervisor/testing/backend.ts';
import { type BenchOptions, known, type Row } from '../row.ts';
import type { FloodKind } from './floods.ts';
import { echo, type Latency, measure, quietTenant } from './quiet.ts';
import {
  type Cost,
  eventually,
  quietName,
  type Scene,
  type SceneOptions,
  startAcceptAndClose,
  startAttackers,
  startNoisyBackend,
  startScene,
  startTenants,
  stop,
} from './scene.ts';
import type { TenantKind } from './tenant-names.ts';

/** Who attacks, by which of the ports that there are, and how a gateway may refuse them. */
interface Attack {
  readonly name: string;
  readonly needsBackend: boolean;
  readonly openFiles?: number;
  start(by: Attacked): Promise<ChildProcess>;
  readonly codes: readonly string[];
}
interface Attacked {
  readonly sni: number;
  readonly tunnel: number;
  readonly keyId: string;
  readonly noisyToken: string;
}

const ofPeers = ['bad-token', 'too-many-refusals', 'too-many-signatures', 'too-many-half-open', 'too-many-resets'];
/** Peers that go away in the middle, or do not get to speak. */
const unfinished = ['handshake-failed', 'hello-timeout'];

const flood = (kind: FloodKind, peers: number): Attack => ({
  name: `${kind}-${peers}`,
  needsBackend: false,
  start: ({ tunnel, keyId }) => startAttackers(tunnel, kind, peers, keyId),
  codes: [...ofPeers, ...unfinished],
});
const tenant = (name: string, kind: TenantKind, codes: readonly string[], openFiles?: number): Attack => ({
  name,
  needsBackend: true,
  ...(openFiles === undefined ? {} : { openFiles }),
  start: ({ sni, tunnel, noisyToken }) => startTenants(kind, kind === 'stalled' ? tunnel : sni, noisyToken),
  codes,
});

const peerCounts = [1, 30, 120, 1000];
const attacks: readonly Attack[] = [
  ...(['trunk', 'h2'] as const).flatMap((kind) => peerCounts.map((peers) => flood(kind, peers))),
  tenant('stalled-10x1000', 'stalled', ['too-much-unread', 'too-fast', 'too-many-streams', 'too-many-opens']),
  tenant('noisy-100-of-1000', 'noisy', ['too-fast']),
  tenant('files-1024', 'files', ['no-descriptors', 'too-fast'], 1024),
];
const goalMs = 10;
const goalFactor = 2;
/** Unread bytes of a worker are bounded by 256 MiB for what came by tunnel and as much for what waits for clients. */
const goalMiB = 768;
const soakMs = 600_000;
const usualMs = 30_000;

export async function run(progress: (line: string) => void, options: BenchOptions): Promise<{ rows: Row[] }> {
  const names = attacks.map(({ name }) => name);
  const wanted = known('row', options.only ?? names, names);
  const forMs =
    Number(process.env.CAUSEWAY_STARVATION_SECONDS ?? 0) * 1000 ||
    (process.env.CAUSEWAY_SOAK === '1' ? soakMs : usualMs);
  const measured: Row[] = [];
  for (const attack of attacks) {
    if (!wanted.includes(attack.name)) continue;
    const figures = await measureAttack(attack, forMs);
    progress(`${attack.name}: ${JSON.stringify(figures)}`);
    measured.push(rowOf(attack, figures));
  }
  return { rows: measured };
}

export interface Figures {
  readonly alone: Latency;
  readonly attacked: Latency;
  /** The same attackers against a port that accepts and closes. */
  readonly baseline: Latency;
  readonly restarts: number;
  readonly cost: Cost;
}

const settleMs = 1000;

export const measureOne = (kind: FloodKind, peers: number, forMs: number): Promise<Figures> =>
  measureAttack(flood(kind, peers), forMs);

async function measureAttack(attack: Attack, forMs: number): Promise<Figures> {
  const backend = await echo();
  const noisy = attack.needsBackend ? await startNoisyBackend() : undefined;
  const options: SceneOptions = {
    ...(noisy === undefined ? {} : { noisyBackend: noisy.port }),
    ...(attack.openFiles === undefined ? {} : { openFiles: attack.openFiles }),
  };
  try {
    const scene = await startScene(backend.port, options);
    const figures = await measureGateway(scene, attack, forMs).finally(() => scene.end());
    return { ...figures, baseline: await measureBaseline(backend.port, attack, scene, forMs) };
  } finally {
    if (noisy !== undefined) await stop(noisy.child);
    backend.close();
  }
}

async function measureGateway(scene: Scene, attack: Attack, forMs: number): Promise<Omit<Figures, 'baseline'>> {
  const quiet = await eventually(() => quietTenant(scene.ports.sni, clientHello(quietName)));
  const alone = await measure(quiet, Math.min(forMs / 2, 2000));
  const workers = scene.workers().join();
  const attackers = await attack.start({ ...scene.ports, ...scene });
  await measure(quiet, Math.min(settleMs, forMs));
  const attacked = await measure(quiet, forMs).finally(() => stop(attackers));
  quiet.destroy();
  const cost = await eventually(() => scene.cost());
  return { alone, attacked, restarts: scene.workers().join() === workers ? 0 : 1, cost };
}

async function measureBaseline(backend: number, attack: Attack, scene: Scene, forMs: number): Promise<Latency> {
  const { child, attacked, quiet } = await startAcceptAndClose(backend);
  try {
    const tenantOfIt = await quietTenant(quiet, Buffer.alloc(0));
    const attackers = await attack.start({ ...scene, sni: attacked, tunnel: attacked });
    await measure(tenantOfIt, Math.min(settleMs, forMs));
    return await measure(tenantOfIt, forMs).finally(() => {
      tenantOfIt.destroy();
      return stop(attackers);
    });
  } finally {
    await stop(child);
  }
}

/** Of all refusals, those that say why; none at all are right, too. */
function rightShare({ codes }: Attack, { refusals }: Cost): number {
  const sum = (of: readonly (readonly [string, number])[]): number => of.reduce((all, [, count]) => all + count, 0);
  const all = Object.entries(refusals);
  return all.length === 0 ? 1 : sum(all.filter(([code]) => codes.includes(code))) / sum(all);
}

function rowOf(attack: Attack, { alone, attacked, baseline, restarts, cost }: Figures): Row {
  const right = rightShare(attack, cost);
  const isServed = attacked.p99 < goalMs && attacked.p99 <= goalFactor * baseline.p99;
  return {
    name: attack.name,
    unit: 'ms p99',
    ours: attacked.p99,
    peers: {
      p50: attacked.p50,
      alone: alone.p99,
      'accept and close': baseline.p99,
      restarts,
      'peak MiB': cost.peakMiB,
      'right codes': right,
    },
    ratio: attacked.p99 / baseline.p99,
    goal: `< ${goalMs}, ≤ ${goalFactor} × accept and close, 0 restarts, < ${goalMiB} MiB, all refusals by the right code`,
    met: isServed && restarts === 0 && cost.peakMiB < goalMiB && right === 1,
  };
}
