// The gateway of one seed as a component: a process that outlives the platform's, and hands over to a newer one.
import path from 'node:path';
import type { ComponentId, ComponentSpec, Handover } from '../../../control-plane/index.ts';
import type { EngineOptions } from '../../../gateway/index.ts';
import { gatewayDirectory } from '../gateway-keys.ts';
import { gatewaySocket, type PlatformHome } from '../home.ts';
import { gatewayProgram } from './program.ts';

export const gatewayId = (seed: string): ComponentId => ({ scope: `gateway/${seed}`, name: 'gateway' });

export interface GatewayInput extends Pick<EngineOptions, 'addresses' | 'workers'> {
  readonly seed: string;
  readonly home: PlatformHome;
  /** How long connections of what was removed may go on. */
  readonly graceMs: number;
  /** Of its program. */
  readonly digest: string;
}

/** What came before makes room for as long: nobody wants a newer program to end the watches and shells that are open. */
const replacedGrace = '1h';
/** For a worker to notice that its time is over. */
const lateMs = 5_000;

export function gatewayComponent(input: GatewayInput): ComponentSpec & { readonly handover: Handover } {
  const { seed, home, addresses, workers, graceMs, digest } = input;
  const at = (file: string): string => path.join(gatewayDirectory(home, seed), file);
  const socket = gatewaySocket(home, seed);
  const handover = { socket, snapshotFile: at('snapshot.json'), successorFile: at('successor.json') };
  return {
    ...gatewayId(seed),
    program: { file: process.execPath },
    args: [
      ...[gatewayProgram, 'gateway', '--snapshot', handover.snapshotFile, '--start-empty'],
      ...['--admin', `unix:${socket}`, '--successor', handover.successorFile, '--workers', String(workers)],
      ...['--grace', `${graceMs}ms`, '--replaced-grace', replacedGrace],
      ...addresses.flatMap((address) => ['--listen', address]),
    ],
    env: { CAUSEWAY_GATEWAY_PROGRAM: digest },
    handover,
    probe: { kind: 'http', url: 'http://localhost/readyz', socketPath: socket },
    stopMs: graceMs + lateMs,
  };
}
