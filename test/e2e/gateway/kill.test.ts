// kill -9 under load: only what the killed process carried ends, and newcomers are served again within seconds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Snapshot } from '../../../src/gateway/index.ts';
import { clusterOf, snapshotOf } from '../../conformance/gateway/scene.ts';
import { type BackendProcess, startBackendProcess } from '../../support/gateway/backend-process.ts';
import { type Place, tcp } from '../../support/gateway/clients.ts';
import { startAgent } from '../../support/gateway/own-agent.ts';
import { type OwnGateway, startGateway } from '../../support/gateway/own-gateway.ts';
import { freePort } from '../../support/gateway/ports.ts';
import { ownerOf } from '../../support/gateway/socket-owner.ts';
import { until } from '../../support/gateway/until.ts';
import { type Attempt, type Crowd, crowd, type Held, type Newcomers, newcomers } from './load.ts';
import { temporaryDirectory } from './world.ts';

const rounds = process.env.CAUSEWAY_SOAK === '1' ? 10 : 1;
const held = 24;
/** Workers without a parent look twice a second whether there is another one. */
const handoverMs = 1_500;
/** How long newcomers may be without service. */
const recoveryMs = 5_000;

interface Setting {
  readonly directory: string;
  readonly snapshot: Snapshot;
  readonly nodePort: number;
  readonly backends: readonly BackendProcess[];
  readonly gateway: OwnGateway;
}

async function createSetting(t: TestContext, backendCount = 1): Promise<Setting> {
  const directory = temporaryDirectory(t, 'kill');
  const names = Array.from({ length: backendCount }, (_, number) => `backend-${number}`);
  const backends = await Promise.all(names.map((name) => startBackendProcess(t, name)));
  // Ports that are asked for by number, so that a second gateway can take the place of the first.
  const [nodePort, tunnel] = [await freePort(), await freePort()];
  const red = clusterOf('red', { apiServer: backends.map(({ target }) => target), nodePort });
  const snapshot = snapshotOf({ red }, { listeners: { tunnel, nodePortRange: '1024-65535' } });
  const gateway = await startGateway(t, { directory, snapshot });
  endWorkers(t, gateway.workers());
  return { directory, snapshot, nodePort, backends, gateway };
}

/** They outlive a killed parent by design; not the test. */
function endWorkers(t: TestContext, pids: readonly number[]): void {
  t.after(() => {
    for (const pid of pids) {
      if (isOurs(pid)) process.kill(pid, 'SIGKILL');
    }
  });
}

/** The number may be somebody else's by now. */
function isOurs(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('causeway gateway');
  } catch {
    return false;
  }
}

interface Load {
  readonly talkers: Crowd;
  readonly coming: Newcomers;
}

async function loadAt(t: TestContext, place: Place): Promise<Load> {
  const talkers = await crowd(held, () => tcp(place));
  t.after(() => talkers.stop());
  const coming = newcomers(() => tcp(place));
  t.after(() => coming.stop());
  await sleep(500);
  assert.equal(talkers.alive().length, held);
  assert.deepEqual(coming.failuresSince(0), []);
  return { talkers, coming };
}

/** In time newcomers are served again, ten in a row, and then all of them. */
async function recovers(coming: Newcomers, killedAt: number): Promise<void> {
  const served = (): readonly Attempt[] => {
    const since = coming.attempts().filter(({ at }) => at > killedAt);
    return since.slice(since.findLastIndex(({ failure }) => failure !== undefined) + 1);
  };
  await until(() => served().length >= 10, 2 * recoveryMs);
  const first = served()[0]?.at ?? Number.POSITIVE_INFINITY;
  assert.ok(first - killedAt <= recoveryMs, `served again after ${first - killedAt} ms`);
  await sleep(1_000);
  assert.deepEqual(coming.failuresSince(first), []);
}

const at = (port: number): Place => ({ host: '127.0.0.1', port });
const socketOf = ({ conversation }: Held): Socket => conversation.duplex as Socket;

describe('kill -9 under load', () => {
  for (let round = 1; round <= rounds; round++) {
    it(`of a worker ends its connections only (round ${round})`, async (t) => {
      const { gateway, nodePort } = await createSetting(t);
      const { talkers, coming } = await loadAt(t, at(nodePort));
      const workers = gateway.workers();
      assert.equal(workers.length, 2);
      const [victim = 0] = workers;
      const mine = talkers.held.filter((each) => ownerOf(socketOf(each), workers) === victim);
      const others = talkers.held.filter((each) => !mine.includes(each));
      assert.ok(mine.length > 0 && others.length > 0, 'one worker has all connections');
      const killedAt = Date.now();
      process.kill(victim, 'SIGKILL');
      await until(() => mine.every((each) => !each.isAlive()));
      await recovers(coming, killedAt);
      assert.ok(others.every((each) => each.isAlive()));
      await until(() => gateway.workers().length === 2);
      endWorkers(t, gateway.workers());
    });
  }

  it('of the parent ends no connection; workers serve on until a new one takes over', async (t) => {
    const { gateway, nodePort, snapshot, directory } = await createSetting(t);
    const { talkers, coming } = await loadAt(t, at(nodePort));
    const killedAt = Date.now();
    await gateway.process.kill('SIGKILL');
    await sleep(1_000);
    assert.deepEqual(coming.failuresSince(killedAt + 500), []);
    const next = await startGateway(t, { directory, snapshot, admin: gateway.admin });
    endWorkers(t, next.workers());
    // Until the orphans have seen the new one, and stopped accepting, some newcomers may still be theirs.
    await sleep(handoverMs);
    const takenOver = Date.now();
    assert.ok(coming.failuresSince(killedAt + 500).length <= 2, JSON.stringify(coming.failuresSince(killedAt + 500)));
    await recovers(coming, takenOver);
    assert.equal(talkers.alive().length, held);
  });

  it('of a backend ends its connections only, and newcomers go to the other', async (t) => {
    const { nodePort, backends, gateway } = await createSetting(t, 2);
    assert.equal(gateway.process.hasEnded(), false);
    const { talkers, coming } = await loadAt(t, at(nodePort));
    const killedAt = Date.now();
    await backends[0]?.process.kill('SIGKILL');
    await recovers(coming, killedAt);
    // Each had its turn, so about half of them were there.
    const left = talkers.alive().length;
    assert.ok(left >= held / 4 && left <= (held * 3) / 4, `${left} of ${held} are alive`);
  });

  it('of an agent ends its connections only, and the next one serves within seconds', async (t) => {
    const { gateway, directory } = await createSetting(t);
    const options = { directory, cluster: 'red', gateways: [gateway.at('tunnel')], args: ['--plaintext'] };
    const [killed, other] = [await startAgent(t, options), await startAgent(t, options)];
    const mine = await loadAt(t, at(killed.port));
    const others = await loadAt(t, at(other.port));
    const killedAt = Date.now();
    await killed.process.kill('SIGKILL');
    await until(() => mine.talkers.alive().length === 0);
    await startAgent(t, { ...options, port: killed.port });
    await recovers(mine.coming, killedAt);
    assert.equal(others.talkers.alive().length, held);
    assert.deepEqual(others.coming.failuresSince(0), []);
  });
});
