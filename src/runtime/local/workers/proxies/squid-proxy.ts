// Squid as the demo's proxy: its files, and its process by the driver.
import { hash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { compareSync, hashSync } from 'bcryptjs';
import type { ComponentSpec, Driver, Observed } from '../../../../control-plane/component.ts';
import type { Health } from '../worker-input.ts';
import type { LocalProxy, ProxyTold } from './demo-proxies.ts';
import { hostsIn, passwordsIn, type SquidPrograms, squid, squidFile, squidName } from './squid.ts';
import { type SquidDirectory, squidDirectory } from './squid-directory.ts';

/** Where a proxy is made to run: all that the platform has are told to the driver together. */
export interface SquidShelf {
  put(spec: ComponentSpec): void;
  look(name: string): Observed | undefined;
  take(name: string): void;
}

/** The platform's own components: they belong to no cluster. */
const scope = 'platform';

export function createSquidShelf(driver: Driver): SquidShelf {
  const specs = new Map<string, ComponentSpec>();
  const apply = (): void => driver.apply(scope, [...specs.values()]);
  return {
    put: (spec) => {
      specs.set(spec.name, spec);
      apply();
    },
    look: (name) => driver.look().find((one) => one.scope === scope && one.name === name),
    take: (name) => {
      if (specs.delete(name)) apply();
    },
  };
}

export class SquidProxy implements LocalProxy {
  readonly #programs: SquidPrograms;
  readonly #shelf: SquidShelf;
  readonly #state: string;
  #place: SquidDirectory | undefined;
  #passwords = '';
  #name = '';

  constructor(programs: SquidPrograms, shelf: SquidShelf, state: string) {
    this.#programs = programs;
    this.#shelf = shelf;
    this.#state = state;
  }

  async bring({ listen, credentials: { user, password }, connectPorts, hosts }: ProxyTold): Promise<void> {
    this.#name = squidName(listen);
    this.#place ??= squidDirectory(this.#state, this.#name);
    const { directory, write } = this.#place;
    this.#passwords ||= readPasswords(directory);
    // The same hash for the same password, or squid would be started again for nothing.
    if (!this.#passwords.startsWith(`${user}:`) || !compareSync(password, this.#passwords.slice(user.length + 1)))
      this.#passwords = `${user}:${hashSync(password, 8)}`;
    const names = [...hosts].map(([name, address]) => `${address} ${name}\n`).join('');
    write(passwordsIn(directory), `${this.#passwords}\n`);
    write(hostsIn(directory), `127.0.0.1 localhost\n${names}`);
    const mark = hash('sha256', `${this.#passwords}\n${names}`);
    const state = this.#state;
    this.#shelf.put(squid({ programs: this.#programs, listen, connectPorts, directory, state, mark }));
  }

  look(): Health {
    const found = this.#shelf.look(this.#name);
    if (found?.healthy === true) return { healthy: true };
    const { why = 'it is being started', next } = found ?? {};
    return { healthy: false, why, ...(next && { fix: next }) };
  }

  async stop(): Promise<void> {
    this.#shelf.take(this.#name);
    this.#place?.remove();
    rmSync(squidFile(this.#state, this.#name), { force: true });
    this.#place = undefined;
  }
}

/** Those of an earlier start, if there are any. */
const readPasswords = (directory: string): string =>
  existsSync(passwordsIn(directory)) ? readFileSync(passwordsIn(directory), 'utf8').trim() : '';
