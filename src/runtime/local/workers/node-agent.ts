// The node agent of a worker, in this process: pods reach the API server through it and the tunnel.
import { type RunningAgent, startAgent } from '../../../agent/agent.ts';
import type { AgentOptions } from '../../../agent/options.ts';
import { sameJson } from '../../../core/same-json.ts';
import type { Log } from '../../../net/log.ts';
import { parseProxyUrl } from '../../../net/proxy-dial/proxy-url.ts';
import type { Way } from './ways.ts';
import type { Health, WorkerInput } from './worker-input.ts';
import type { WorkerPlace } from './worker-place.ts';

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
  async bring(input: WorkerInput, place: WorkerPlace, way: Way | undefined): Promise<void> {
    const options = agentOptions(input, place, way);
    if (sameJson(options, this.#options)) return;
    await this.stop();
    if (options === undefined) return;
    this.#running = await startAgent(options, this.#log);
    this.#options = options;
  }

  /** Undefined where none is wanted. */
  look(): Health | undefined {
    if (this.#running === undefined) return undefined;
    const problem = this.#running.problem();
    return { healthy: problem === undefined, ...problem };
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
  { address, ports, files }: WorkerPlace,
  way: Way | undefined,
): AgentOptions | undefined {
  const { tunnel } = input.endpoint;
  if (tunnel === undefined || way === undefined) return undefined;
  const { proxy } = way;
  return {
    cluster: input.cluster,
    gateways: [way.dial],
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
