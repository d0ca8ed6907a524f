// Who takes part in which rows.
import type { StartChangeable } from './change.ts';
import { goalPeer, ourName } from './figures.ts';
import { startMany, startOurSni, startOurTunnel, startOurTunnelTls } from './ours.ts';
import { startEnvoySni, startEnvoyTunnel, startEnvoyTunnelTls } from './peers/envoy.ts';
import { startEnvoyFiles } from './peers/envoy-files.ts';
import { startHaproxy } from './peers/haproxy.ts';
import { startNginx } from './peers/nginx.ts';
import { startWire } from './peers/wire.ts';
import type { Group } from './speed-rows.ts';
import type { StartSubject } from './subject.ts';

type Table<Start> = Readonly<Record<string, Start>>;

const gateways: Table<StartSubject> = {
  [ourName]: startOurSni,
  [goalPeer]: startEnvoySni,
  haproxy: startHaproxy,
  nginx: startNginx,
};

export const speedStarts: Readonly<Record<Group, Table<StartSubject>>> = {
  sni: { wire: startWire, ...gateways },
  tunnel: { wire: startWire, [ourName]: startOurTunnel, [goalPeer]: startEnvoyTunnel },
  'tunnel-tls': { wire: startWire, [ourName]: startOurTunnelTls, [goalPeer]: startEnvoyTunnelTls },
};
export const idleStarts = gateways;
export const changeStarts: Table<StartChangeable> = { [ourName]: startMany, [goalPeer]: startEnvoyFiles };
export const peerNames = Object.keys(speedStarts.sni).filter((name) => name !== ourName);

export interface Choice {
  readonly peers?: readonly string[];
  readonly peersOnly?: boolean;
}

/** Who of a table takes part. The wire always does: added latency is counted from it. */
export function chosen<Start>(table: Table<Start>, { peers = peerNames, peersOnly }: Choice): Start[] {
  const takesPart = (name: string): boolean =>
    name === ourName ? peersOnly !== true : name === 'wire' || peers.includes(name);
  return Object.entries(table)
    .filter(([name]) => takesPart(name))
    .map(([, start]) => start);
}
