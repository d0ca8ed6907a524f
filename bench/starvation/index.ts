// Whether a quiet tenant is served while unauthenticated peers flood the tunnel: its round trip beside the same peers
// against a port that only accepts and closes.

import { clientHello } from '../../src/gateway/supervisor/testing/backend.ts';
import { type BenchOptions, known, type Row } from '../row.ts';
import type { FloodKind } from './floods.ts';
import { echo, type Latency, measure, quietTenant } from './quiet.ts';
import { eventually, quietName, startAcceptAndClose, startAttackers, startScene, stop } from './scene.ts';

const peerCounts = [1, 30, 120, 1000];
const rows = (['trunk', 'h2'] as const).flatMap((kind) =>
  peerCounts.map((peers) => ({ name: `${kind}-${peers}`, kind, peers })),
);
const goalMs = 10;
const goalFactor = 2;
const soakMs = 600_000;
const usualMs = 30_000;

export async function run(progress: (line: string) => void, options: BenchOptions): Promise<{ rows: Row[] }> {
  const names = rows.map(({ name }) => name);
  const wanted = known('row', options.only ?? names, names);
  const forMs =
    Number(process.env.CAUSEWAY_STARVATION_SECONDS ?? 0) * 1000 ||
    (process.env.CAUSEWAY_SOAK === '1' ? soakMs : usualMs);
  const measured: Row[] = [];
  for (const { name, kind, peers } of rows) {
    if (!wanted.includes(name)) continue;
    const figures = await measureOne(kind, peers, forMs);
    progress(`${name}: ${JSON.stringify(figures)}`);
    measured.push(rowOf(name, figures));
  }
  return { rows: measured };
}

export interface Figures {
  readonly alone: Latency;
  readonly attacked: Latency;
  /** The same peers against a port that accepts and closes. */
  readonly baseline: Latency;
  readonly restarts: number;
}

const settleMs = 1000;

export async function measureOne(kind: FloodKind, peers: number, forMs: number): Promise<Figures> {
  const backend = await echo();
  const scene = await startScene(backend.port);
  try {
    const tenant = await eventually(() => quietTenant(scene.ports.sni, clientHello(quietName)));
    const alone = await measure(tenant, Math.min(forMs / 2, 2000));
    const workers = scene.workers().join();
    const attackers = await startAttackers(scene.ports.tunnel, kind, peers, scene.keyId);
    await measure(tenant, Math.min(settleMs, forMs));
    const attacked = await measure(tenant, forMs).finally(() => stop(attackers));
    tenant.destroy();
    const restarts = scene.workers().join() === workers ? 0 : 1;
    return {
      alone,
      attacked,
      baseline: await measureBaseline(backend.port, kind, peers, scene.keyId, forMs),
      restarts,
    };
  } finally {
    await scene.end();
    backend.close();
  }
}

async function measureBaseline(
  backend: number,
  kind: FloodKind,
  peers: number,
  keyId: string,
  forMs: number,
): Promise<Latency> {
  const { child, attacked, quiet } = await startAcceptAndClose(backend);
  try {
    const tenant = await quietTenant(quiet, Buffer.alloc(0));
    const attackers = await startAttackers(attacked, kind, peers, keyId);
    await measure(tenant, Math.min(settleMs, forMs));
    return await measure(tenant, forMs).finally(() => {
      tenant.destroy();
      return stop(attackers);
    });
  } finally {
    await stop(child);
  }
}

const rowOf = (name: string, { alone, attacked, baseline, restarts }: Figures): Row => ({
  name,
  unit: 'ms p99',
  ours: attacked.p99,
  peers: { p50: attacked.p50, alone: alone.p99, 'accept and close': baseline.p99, restarts },
  ratio: attacked.p99 / baseline.p99,
  goal: `< ${goalMs}, ≤ ${goalFactor} × accept and close, 0 restarts`,
  met: attacked.p99 < goalMs && attacked.p99 <= goalFactor * baseline.p99 && restarts === 0,
});
