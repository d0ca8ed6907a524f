// Every process of Kubernetes that a driver starts, at the moment when it does.
import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import type { Driver, Observed } from '../../../src/control-plane/component.ts';
import type { KubeClient } from '../../../src/kube/index.ts';
import { type Log, silentLog } from '../../../src/sys/log.ts';

export interface Start {
  readonly at: number;
  readonly name: string;
  /** What runs. */
  readonly file: string;
  /** What the API server called itself then. */
  readonly apiServer: Promise<string | undefined>;
  /** All components, then. */
  readonly seen: readonly Observed[];
}

export class Starts {
  readonly #all: Start[] = [];
  #place: { readonly driver: Driver; readonly client: KubeClient } | undefined;
  readonly log: Log = { ...silentLog, info: (message, fields) => this.#note(message, Number(fields?.pid)) };

  /** From now on. */
  watch(driver: Driver, client: KubeClient): void {
    this.#place = { driver, client };
  }

  /** Of programs that say so themselves. */
  ofVersion(version: string): Start[] {
    return this.#all.filter(({ file }) => versionOf(file) === version);
  }

  #note(message: string, pid: number): void {
    const name = /^(kube-\S+) started$/.exec(message)?.[1];
    if (name === undefined || this.#place === undefined) return;
    const { driver, client } = this.#place;
    const file = readlinkSync(`/proc/${pid}/exe`);
    this.#all.push({ at: Date.now(), name, file, apiServer: told(client), seen: driver.look() });
  }
}

const known = new Map<string, string>();

function versionOf(file: string): string | undefined {
  // A script: its interpreter has another kind of version.
  if (!file.includes('/kube-')) return undefined;
  const said = known.get(file) ?? `${execFileSync(file, ['--version'])}`;
  known.set(file, said);
  return /v(\d+\.\d+\.\d+)/.exec(said)?.[1];
}

/** The version of the API server; undefined where there is none at the moment. */
export const told = (client: KubeClient): Promise<string | undefined> =>
  client.get<{ gitVersion: string }>('/version').then(
    (answer) => answer?.gitVersion.replace('v', ''),
    () => undefined,
  );
