// A corporate proxy for the demo, where squid is not installed: it asks for user and password, and lets CONNECT out to
// the ports that it allows and to names of the platform only.
import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { HostPort } from '../../../../core/host-port.ts';
import { sameJson } from '../../../../core/same-json.ts';
import type { Credentials } from '../../../../net/index.ts';
import { type Verdict, verdictOf, verdictStarting, verdictTrue } from '../../../../reconcile/index.ts';
import { type ConnectAnswer, type ConnectServer, openConnectServer } from './connect-proxy.ts';
import type { LocalProxy, ProxyConfig } from './demo-proxies.ts';

interface DemoProxyRules {
  readonly credentials: Credentials;
  readonly connectPorts: readonly number[];
  /** Names that it knows, and their address. */
  readonly hosts: ReadonlyMap<string, string>;
}

const askForCredentials: ConnectAnswer = {
  status: 407,
  words: 'Proxy Authentication Required',
  headers: ['Proxy-Authenticate: Basic realm="demo proxy"'],
};
const forbidden: ConnectAnswer = { status: 403, words: 'Forbidden' };

/** The rules are asked for at each request, so they may change. */
export const openDemoProxy = (listen: HostPort, rules: () => DemoProxyRules): Promise<ConnectServer> =>
  openConnectServer(listen, (target, request) => answerTo(target, request, rules()));

function answerTo({ host, port }: HostPort, request: IncomingMessage, rules: DemoProxyRules): ConnectAnswer {
  const { credentials, connectPorts, hosts } = rules;
  const expected = digest(`${credentials.user}:${credentials.password}`);
  if (!timingSafeEqual(digest(shownBy(request)), expected)) return askForCredentials;
  const address = hosts.get(host) ?? [...hosts.values()].find((known) => known === host);
  return address === undefined || !connectPorts.includes(port) ? forbidden : { host: address, port };
}

/** Of one length whatever was sent, so that comparing tells nothing. */
const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

function shownBy({ headers }: IncomingMessage): string {
  const [, encoded = ''] = /^Basic (\S+)$/i.exec(headers['proxy-authorization'] ?? '') ?? [];
  return Buffer.from(encoded, 'base64').toString('utf8');
}

// Our own proxy for the demo, kept as it is told.

export class DemoProxy implements LocalProxy {
  #server: ConnectServer | undefined;
  #config: ProxyConfig | undefined;
  #verdict: Verdict = verdictStarting();

  /** What it lets through changes without a break; only another address is another server. */
  async apply(config: ProxyConfig): Promise<void> {
    const stays = this.#server !== undefined && sameJson(config.listen, this.#config?.listen);
    this.#config = config;
    if (stays) return;
    await this.stop();
    try {
      this.#server = await openDemoProxy(config.listen, () => this.#config ?? config);
      this.#verdict = verdictTrue('Listening');
    } catch (error) {
      this.#verdict = verdictOf(error);
      throw error;
    }
  }

  look(): Verdict {
    return this.#verdict;
  }

  async stop(): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }
}
