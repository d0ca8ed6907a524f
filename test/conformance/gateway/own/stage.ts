// A scene for promises about refusals: what a refused client got, why it was refused, and that no backend noticed.
import assert from 'node:assert/strict';
import type { Snapshot } from '../../../../src/gateway/index.ts';
import type { Backend } from '../../../support/gateway/backends.ts';
import type { Undo } from '../../../support/gateway/undo.ts';
import { until } from '../../../support/gateway/until.ts';
import { createScene, type Scene, type TestGateway, testGatewayOf } from '../scene.ts';
import type { ObservedEngine, ObservedGateway } from './observed.ts';

export interface Stage extends Scene {
  open(snapshot: Snapshot, workers?: number): Promise<ObservedTestGateway>;
}

export interface ObservedTestGateway extends TestGateway, Pick<ObservedGateway, 'traffic'> {
  /** Runs the work, and says whether this reason was then counted once more and no backend was touched. */
  refusing(reason: string, backends: readonly Backend[], work: () => Promise<unknown>): Promise<void>;
}

export function createStage(t: Undo, engine: ObservedEngine): Stage {
  const scene = createScene(t);
  return {
    ...scene,
    open: async (snapshot, workers = 2) => {
      const running = await engine.start({ snapshot, addresses: ['127.0.0.1', '::1'], workers });
      t.after(() => running.stop(0));
      return { ...testGatewayOf(running), traffic: running.traffic, refusing: refusing(running) };
    },
  };
}

const refusing =
  (running: ObservedGateway): ObservedTestGateway['refusing'] =>
  async (reason, backends, work) => {
    const came = backends.map((backend) => backend.connections());
    const count = async (): Promise<number> => (await running.refusals()).get(reason) ?? 0;
    const earlier = await count();
    await work();
    await until(async () => (await count()) > earlier).catch(async () => {
      assert.fail(`${reason} was not counted: ${JSON.stringify([...(await running.refusals())])}`);
    });
    assert.deepEqual(
      backends.map((backend) => backend.connections()),
      came,
      'a backend was touched',
    );
  };
