// The agent of konnectivity: the control plane dials into the worker's network through a connection that this opened.
// Which program it is, is chosen here and nowhere else on the worker side.
import type { ComponentSpec } from '../../../control-plane/component.ts';
import { konnectivityAgentArgs } from '../../../control-plane/components/konnectivity-agent.ts';
import type { KonnectivityPlan } from '../../../plan/schema/index.ts';
import { proxyUrl, type Way } from './ways.ts';
import type { WorkerPlace } from './worker-place.ts';

export interface KonnectivityAgentInput {
  readonly cluster: string;
  readonly place: WorkerPlace;
  readonly way: Way;
  readonly planned: KonnectivityPlan['agent'];
  /** Of the name forwarder, which is used where there is no proxy. */
  readonly forwarder: string;
}

export function konnectivityAgent(input: KonnectivityAgentInput): ComponentSpec {
  const { cluster, place, way, planned } = input;
  const { address, ports, files } = place;
  return {
    scope: `worker/${cluster}`,
    name: 'konnectivity-agent',
    program: { name: 'konnectivity-agent' },
    args: [
      ...konnectivityAgentArgs({
        ...{ id: cluster, serverHost: way.serverName, serverPort: way.dial.port },
        ...{ caFile: files.ca, tokenFile: files.konnectivityToken },
        // It waits longer each time it fails: nobody who has mended something wants to wait for that.
        flags: ['--sync-interval=1s', '--sync-interval-cap=5s'],
        planned,
        ...{ healthHost: address, healthPort: ports.konnectivityHealth },
        ...{ adminHost: address, adminPort: ports.konnectivityAdmin },
      }),
      '--v=2',
    ],
    env: surroundings(input),
    // At SIGTERM it waits for connections that go through it, and watches of a kubelet never end.
    stopMs: 1_000,
    probe: { kind: 'http', url: `http://${address}:${ports.konnectivityHealth}/readyz` },
  };
}

/** It dials names only, and resolves them itself unless a proxy does it. An address it dials directly. */
function surroundings({ way, forwarder }: KonnectivityAgentInput): Record<string, string> {
  if (way.proxy !== undefined) return { HTTPS_PROXY: proxyUrl(way.proxy) };
  return way.serverName === way.dial.host ? {} : { HTTPS_PROXY: forwarder };
}
