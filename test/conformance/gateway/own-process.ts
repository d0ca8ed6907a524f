// `causeway gateway` as an engine of the suite: started as a person would, asked by its admin address why it refused.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Sample } from '../../support/gateway/admin.ts';
import { startGateway } from '../../support/gateway/own-gateway.ts';
import { createUndoList } from '../../support/gateway/undo.ts';
import type { ObservedEngine, Traffic } from './own/observed.ts';

export const gatewayProcess = (env: Record<string, string> = {}): ObservedEngine => ({
  name: env.CAUSEWAY_WIRE === undefined ? 'causeway gateway' : `causeway gateway, ${env.CAUSEWAY_WIRE} wires,`,
  start: async ({ snapshot, addresses, workers }) => {
    const undo = createUndoList();
    const directory = mkdtempSync(path.join(tmpdir(), 'causeway-own-'));
    undo.after(() => rmSync(directory, { recursive: true, force: true }));
    try {
      const gateway = await startGateway(undo, {
        directory,
        snapshot,
        addresses,
        workers,
        env,
        args: ['--grace', '1s'],
      });
      const { listening, apply, refusals } = gateway;
      const traffic = async (cluster: string) => trafficIn(await gateway.metrics(), cluster);
      return { listening, apply, refusals, traffic, stop: () => undo.run() };
    } catch (error) {
      await undo.run();
      throw error;
    }
  },
});

function trafficIn(samples: readonly Sample[], cluster: string): Traffic {
  const sum = (name: string, direction?: string): number =>
    samples
      .filter((each) => each.name === `causeway_gateway_${name}` && each.labels.cluster === cluster)
      .filter(({ labels }) => labels.direction === direction)
      .reduce((total, { value }) => total + value, 0);
  return {
    connections: sum('connections_total'),
    open: sum('connections_open'),
    sent: sum('bytes_total', 'sent'),
    received: sum('bytes_total', 'received'),
  };
}
