// The two agents of a demo worker. The node agent runs in this process: pods reach the API server through it and the tunnel.
// The konnectivity agent is a program: the control plane dials into the worker's network through a connection that it opened.
import { type AgentOptions, type RunningAgent, startAgent } from '../../../agent/index.ts';
import { type ComponentSpec, konnectivityAgentArgs } from '../../../control-plane/index.ts';
import { sameJson } from '../../../core/same-json.ts';
import { parseProxyUrl } from '../../../net/index.ts';
import type { KonnectivityPlan } from '../../../plan/schema/index.ts';
import { type Verdict, verdictFalse, verdictTrue } from '../../../reconcile/index.ts';
import type { Log } from '../../../sys/log.ts';
import { proxyUrl, type Upstream } from './upstreams.ts';
import type { WorkerInput } from './worker-input.ts';
import type { WorkerLayout } from './worker-layout.ts';

/** Connections of pods may end by themselves for so long. */
const graceMs = 1_000;

export class NodeAgent {
  readonly #log: Log;
  #options: AgentOptions | undefined;
  #running: RunningAgent | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Starts it, or starts it again where it is told something else. Without a tunnel there is none. */
  async apply(input: WorkerInput, layout: WorkerLayout, upstream: Upstream | undefined): Promise<void> {
    const options = agentOptions(input, layout, upstream);
    if (sameJson(options, this.#options)) return;
    await this.stop();
    if (options === undefined) return;
    this.#running = await startAgent(options, this.#log);
    this.#options = options;
  }

  /** Undefined where none is wanted. */
  look(): Verdict | undefined {
    if (this.#running === undefined) return undefined;
    const problem = this.#running.problem();
    return problem === undefined ? verdictTrue('Connected') : verdictFalse('NotConnected', problem.why, problem.fix);
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#options = undefined;
    await running?.stop(graceMs);
  }
}

function agentOptions(
  input: WorkerInput,
  { address, ports, files }: WorkerLayout,
  upstream: Upstream | undefined,
): AgentOptions | undefined {
  const { tunnel } = input.endpoint;
  if (tunnel === undefined || upstream === undefined) return undefined;
  const { proxy } = upstream;
  return {
    cluster: input.cluster,
    gateways: [upstream.dial],
    authority: tunnel.authority,
    // The agent's own address needs rights on this machine, and two clusters would want the same one.
    listen: { host: address, port: ports.nodeAgent },
    transport: 'auto',
    graceMs,
    plaintext: !tunnel.tls,
    ...(tunnel.tls ? { name: tunnel.sni ?? tunnel.host, ca: input.gateway.authorityFile } : {}),
    ...(tunnel.authentication === 'token' ? { tokenFile: files.tunnelToken } : {}),
    ...(proxy === undefined ? {} : { proxy: parseProxyUrl(proxy.url) }),
    ...(proxy?.credentials === undefined ? {} : { proxyCredentialsFile: files.proxyCredentials }),
  };
}

interface KonnectivityAgentInput {
  readonly cluster: string;
  readonly layout: WorkerLayout;
  readonly upstream: Upstream;
  readonly planned: KonnectivityPlan['agent'];
  /** Of the name forwarder, which is used where there is no proxy. */
  readonly forwarder: string;
}

export function konnectivityAgent(input: KonnectivityAgentInput): ComponentSpec {
  const { cluster, layout, upstream, planned } = input;
  const { address, ports, files } = layout;
  return {
    scope: `worker/${cluster}`,
    name: 'konnectivity-agent',
    program: { name: 'konnectivity-agent' },
    args: [
      ...konnectivityAgentArgs({
        ...{ id: cluster, serverHost: upstream.serverName, serverPort: upstream.dial.port },
        ...{ caFile: files.ca, tokenFile: files.konnectivityToken },
        // It waits longer each time it fails: nobody who has mended something wants to wait for that.
        flags: ['--sync-interval=1s', '--sync-interval-cap=5s'],
        planned,
        ...{ healthHost: address, healthPort: ports.konnectivityHealth },
        ...{ adminHost: address, adminPort: ports.konnectivityAdmin },
      }),
      '--v=2',
    ],
    env: proxyEnvironment(input),
    // At SIGTERM it waits for connections that go through it, and watches of a kubelet never end.
    stopMs: 1_000,
    probe: { kind: 'http', url: `http://${address}:${ports.konnectivityHealth}/readyz` },
  };
}

/** It dials names only, and resolves them itself unless a proxy does it. An address it dials directly. */
function proxyEnvironment({ upstream, forwarder }: KonnectivityAgentInput): Record<string, string> {
  if (upstream.proxy !== undefined) return { HTTPS_PROXY: proxyUrl(upstream.proxy) };
  return upstream.serverName === upstream.dial.host ? {} : { HTTPS_PROXY: forwarder };
}
