// Clients of config maps: one that watches for as long as its connection lives, one that comes back whenever it broke,
// and one that writes.
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKubeClient, type KubeClient, type KubeObject } from '../../../src/kube/index.ts';
import { pkiFiles } from '../../../src/runtime/local/file-store.ts';
import type { Scene } from './scene.ts';

type Place = Pick<Scene, 'input' | 'server'>;

/** With the platform's own certificate. */
export const trustOf = ({ input }: Pick<Scene, 'input'>): { ca: string; cert: string; key: string } => {
  const { ca, internal } = pkiFiles(input.home.pki);
  const text = (file: string): string => readFileSync(file, 'utf8');
  return { ca: text(ca.cert), cert: text(internal.cert), key: text(internal.key) };
};

export const configMaps = '/api/v1/namespaces/default/configmaps';
export const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'ERROR';
  readonly object: KubeObject & { readonly metadata: { readonly resourceVersion?: string } };
}

export interface Watch {
  isOpen(): boolean;
  saw(name: string): boolean;
  /** Resolves when its connection has ended. */
  readonly ended: Promise<void>;
  close(): void;
}

export function openWatch(
  { input, server }: Place,
  { from = '', onEvent = () => {} }: { from?: string; onEvent?: (event: WatchEvent) => void } = {},
): Watch {
  let [open, rest] = [false, ''];
  const seen = new Set<string>();
  const take = (line: string): void => {
    const event = JSON.parse(line) as WatchEvent;
    seen.add(event.object.metadata.name);
    onEvent(event);
  };
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const options = { ...trustOf({ input }), agent: false };
  const request = get(`${server}${configMaps}?watch=true&resourceVersion=${from}`, options, (answer) => {
    open = answer.statusCode === 200;
    answer.setEncoding('utf8').on('data', (part: string) => {
      const lines = `${rest}${part}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    });
    answer.once('error', () => {});
  });
  request.on('error', () => {});
  request.once('close', () => {
    open = false;
    end();
  });
  return { isOpen: () => open, saw: (name) => seen.has(name), ended, close: () => void request.destroy() };
}

export interface Follower {
  readonly names: ReadonlySet<string>;
  /** How often it had to come back. */
  readonly breaks: number;
  close(): void;
}

/** As every controller does it: list, watch from there, and go on where it was; list again where that is too long ago. */
export function followConfigMaps(place: Place): Follower {
  const client = createKubeClient({ server: place.server, ...trustOf(place) });
  const names = new Set<string>();
  const state = { names, breaks: -1 };
  let from: string | undefined;
  let closed = false;
  let watch: Watch | undefined;
  const onEvent = ({ type, object }: WatchEvent): void => {
    from = type === 'ERROR' ? undefined : object.metadata.resourceVersion;
    if (type === 'ADDED') names.add(object.metadata.name);
  };
  const follow = async (): Promise<void> => {
    state.breaks += 1;
    from ??= await listed(client, names);
    watch = openWatch(place, { from, onEvent });
    if (closed) watch.close();
    await watch.ended;
  };
  void (async () => {
    while (!closed) await follow().catch(() => sleep(50));
  })();
  const close = (): void => {
    closed = true;
    watch?.close();
    client.close();
  };
  return Object.assign(state, { close });
}

async function listed(client: KubeClient, names: Set<string>): Promise<string> {
  type List = { metadata: { resourceVersion: string }; items: KubeObject[] };
  const list = await client.get<List>(configMaps);
  if (list === undefined) throw new Error('there is no list');
  for (const { metadata } of list.items) names.add(metadata.name);
  return list.metadata.resourceVersion;
}

export interface Writer {
  /** What the API server said yes to. */
  readonly written: readonly string[];
  stop(): Promise<void>;
}

/** Writes on and on; what was not taken is offered again. */
export function startWriter(client: KubeClient): Writer {
  const written: string[] = [];
  let stopped = false;
  const isTaken = (name: string): Promise<boolean> =>
    client.post(configMaps, configMap(name)).then(
      () => true,
      (error: { status?: number }) => error.status === 409,
    );
  const work = (async () => {
    for (let number = 0; !stopped; await sleep(50)) {
      const name = `during-${number}`;
      if (!(await isTaken(name))) continue;
      written.push(name);
      number += 1;
    }
  })();
  const stop = (): Promise<void> => {
    stopped = true;
    return work;
  };
  return { written, stop };
}
