// Squid as the demo's proxy: its files, and its process by the driver.
import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { compareSync, hashSync } from 'bcryptjs';
import type { Driver } from '../../control-plane/component.ts';
import type { PlatformHome } from '../../control-plane/home.ts';
import type { Health } from '../worker-input.ts';
import type { LocalProxy, ProxyTold } from './demo-proxies.ts';
import { hostsIn, passwordsIn, type SquidPrograms, squid } from './squid.ts';
import { type SquidDirectory, squidDirectory } from './squid-directory.ts';

interface Surroundings {
  readonly driver: Driver;
  readonly home: PlatformHome;
  /** host:port that it listens on. */
  readonly host: string;
}

/** The platform's own: one proxy is all that a demo needs. */
const scope = 'platform';

export class SquidProxy implements LocalProxy {
  readonly #programs: SquidPrograms;
  readonly #around: Surroundings;
  readonly #name: string;
  #place: SquidDirectory | undefined;
  #passwords = '';

  constructor(programs: SquidPrograms, around: Surroundings) {
    this.#programs = programs;
    this.#around = around;
    this.#name = 'proxy';
  }

  async bring({ listen, credentials: { user, password }, connectPorts, hosts }: ProxyTold): Promise<void> {
    this.#place ??= squidDirectory(this.#around.home.state);
    const { directory, write } = this.#place;
    // The same hash for the same password, or squid would be started again for nothing.
    if (!this.#passwords.startsWith(`${user}:`) || !compareSync(password, this.#passwords.slice(user.length + 1)))
      this.#passwords = `${user}:${hashSync(password, 8)}`;
    const names = [...hosts].map(([name, address]) => `${address} ${name}\n`).join('');
    write(passwordsIn(directory), `${this.#passwords}\n`);
    write(hostsIn(directory), `127.0.0.1 localhost\n${names}`);
    const mark = hash('sha256', `${this.#passwords}\n${names}`);
    const spec = squid({ programs: this.#programs, listen, connectPorts, directory, name: this.#name, mark });
    this.#around.driver.apply(scope, [spec]);
  }

  look(): Health {
    const found = this.#around.driver.look().find((one) => one.scope === scope && one.name === this.#name);
    if (found?.healthy === true) return { healthy: true };
    const { why = 'it is being started', next } = found ?? {};
    return { healthy: false, why, ...(next && { fix: next }) };
  }

  async stop(): Promise<void> {
    await this.#around.driver.remove(scope);
    if (this.#place !== undefined) rmSync(this.#place.directory, { recursive: true, force: true });
    this.#place = undefined;
  }
}
