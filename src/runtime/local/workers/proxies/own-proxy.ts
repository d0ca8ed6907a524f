// Our own proxy for the demo, kept as it is told.
import type { CausewayError } from '../../../../core/errors.ts';
import { sameJson } from '../../../../core/same-json.ts';
import type { Health } from '../worker-input.ts';
import type { ConnectServer } from './connect-server.ts';
import type { LocalProxy, ProxyTold } from './demo-proxies.ts';
import { openDemoProxy } from './demo-proxy.ts';

export class OwnProxy implements LocalProxy {
  #server: ConnectServer | undefined;
  #told: ProxyTold | undefined;
  #problem: Error | undefined = new Error('it is being started');

  /** What it lets through changes without a break; only another address is another server. */
  async bring(told: ProxyTold): Promise<void> {
    const stays = this.#server !== undefined && sameJson(told.listen, this.#told?.listen);
    this.#told = told;
    if (stays) return;
    await this.stop();
    try {
      this.#server = await openDemoProxy(told.listen, () => this.#told ?? told);
      this.#problem = undefined;
    } catch (error) {
      this.#problem = error as Error;
      throw error;
    }
  }

  look(): Health {
    if (this.#problem === undefined) return { healthy: true };
    const { message, fix } = this.#problem as Partial<CausewayError> & Error;
    return { healthy: false, why: message, ...(fix === undefined ? {} : { fix }) };
  }

  async stop(): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }
}
