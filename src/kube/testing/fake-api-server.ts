// One collection of an API server, with the parts of its protocol that are hard to get from a real one at a given moment:
// pages, watches from a version, initial events, bookmarks, compaction, and connections that break anywhere.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Undo } from '../../../test/support/gateway/undo.ts';
import { createKubeClient, type KubeClient } from '../client.ts';

export interface Thing {
  readonly kind: 'Thing';
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly object[];
  };
  readonly text: string;
}

interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly version: number;
  readonly object: Thing;
}

export const thingsPath = '/apis/example.com/v1/things';

export class FakeApiServer {
  readonly things = new Map<string, Thing>();
  readonly asked: URLSearchParams[] = [];
  /** When, by the monotonic clock. */
  readonly askedAt: number[] = [];
  /** Whether it sends initial events; `ignored`: it does not know the parameter, and says nothing. */
  watchList: 'offered' | 'refused' | 'ignored' = 'offered';
  /** Answers nothing but this status. */
  refuse: { readonly status: number; readonly headers?: Record<string, string> } | undefined;
  /** After each page of a list. */
  onPage: () => void = () => {};
  /** Accepts requests, and answers none. */
  silent = false;
  readonly #server: Server;
  readonly #watches = new Set<ServerResponse>();
  #history: Change[] = [];
  #version = 100;
  #compacted = 100;
  #uid = 0;

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start(t: Undo): Promise<FakeApiServer> {
    const fake = new FakeApiServer();
    fake.#server.listen(0, '127.0.0.1');
    await once(fake.#server, 'listening');
    t.after(() => {
      fake.#server.close();
      fake.#server.closeAllConnections();
    });
    return fake;
  }

  get version(): string {
    return String(this.#version);
  }

  get openWatches(): number {
    return this.#watches.size;
  }

  client(t: Undo): KubeClient {
    const { port } = this.#server.address() as AddressInfo;
    const dial = async (signal: AbortSignal) => {
      const socket = connect({ port, host: '127.0.0.1', signal }).on('error', () => {});
      await once(socket, 'connect', { signal });
      return socket;
    };
    const client = createKubeClient({ server: 'https://fake', dial });
    t.after(client.close);
    return client;
  }

  put(name: string, text = '', labels: Record<string, string> = {}): Thing {
    const before = this.things.get(name);
    this.#version += 1;
    const metadata = {
      ...{ name, namespace: 'default', uid: before?.metadata.uid ?? `uid-${++this.#uid}` },
      ...{
        resourceVersion: this.version,
        labels,
        managedFields: [{ manager: 'somebody', fieldsV1: { 'f:text': {} } }],
      },
    };
    const object: Thing = { kind: 'Thing', metadata, text };
    this.things.set(name, object);
    this.#tell({ type: before === undefined ? 'ADDED' : 'MODIFIED', version: this.#version, object });
    return object;
  }

  remove(name: string): void {
    const before = this.things.get(name);
    if (before === undefined) return;
    this.#version += 1;
    this.things.delete(name);
    const object = { ...before, metadata: { ...before.metadata, resourceVersion: this.version } };
    this.#tell({ type: 'DELETED', version: this.#version, object });
  }

  /** Forgets all history: whoever comes with an older version is told 410. */
  compact(): void {
    this.#compacted = this.#version;
    this.#history = [];
  }

  /** Other resources change as well: this collection does not, and its version does. */
  advance(by = 1): void {
    this.#version += by;
  }

  /** A store that was restored from a backup without history. */
  goBackTo(version: number): void {
    this.#version = version;
    this.#compacted = 0;
    this.#history = [];
  }

  bookmark(): void {
    this.#writeAll(`${JSON.stringify(this.#bookmark())}\n`);
  }

  /** On every open watch, as it is. */
  #writeAll(text: string): void {
    for (const watch of this.#watches) watch.write(text);
  }

  error(code: number, message: string): void {
    this.#writeAll(`${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code, message } })}\n`);
  }

  /** Part of an event, and then nothing: the connections break. */
  async cutWithin(name: string): Promise<void> {
    const event = JSON.stringify({ type: 'DELETED', object: this.things.get(name) });
    this.#writeAll(event.slice(0, event.length / 2));
    await new Promise((resolve) => setTimeout(resolve, 20));
    this.cut();
  }

  cut(): void {
    this.#server.closeAllConnections();
  }

  /** As a server does whose time for a watch is over. */
  endWatches(): void {
    for (const watch of this.#watches) watch.end();
    this.#watches.clear();
  }

  #tell(change: Change): void {
    this.#history.push(change);
    this.#writeAll(lineOf(change));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const query = new URL(request.url ?? '', 'http://fake').searchParams;
    this.asked.push(query);
    this.askedAt.push(performance.now());
    if (this.silent) return;
    if (this.refuse !== undefined) {
      response.writeHead(this.refuse.status, this.refuse.headers).end(status('not now'));
    } else if (query.get('watch') === 'true') this.#watch(query, response);
    else this.#list(query, response);
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const [version = this.version, from = '0'] = query.get('continue')?.split('/') ?? [];
    if (Number(version) < this.#compacted) {
      response.writeHead(410).end(status('the provided continue parameter is too old'));
      return;
    }
    // Pages are as of the first one in a real server; here nothing changes between them.
    const start = Number(from);
    const end = start + Number(query.get('limit') ?? this.things.size);
    const items = [...this.things.values()].slice(start, end);
    const more = end < this.things.size ? { continue: `${version}/${end}` } : {};
    response.end(JSON.stringify({ metadata: { resourceVersion: version, ...more }, items }));
    this.onPage();
  }

  #watch(query: URLSearchParams, response: ServerResponse): void {
    const initial = query.get('sendInitialEvents') === 'true';
    if (initial && this.watchList === 'refused') {
      response.writeHead(422).end(status('sendInitialEvents is forbidden'));
      return;
    }
    response.writeHead(200);
    response.flushHeaders();
    this.#watches.add(response);
    response.once('close', () => this.#watches.delete(response));
    if (initial) this.#sendInitial(response);
    else this.#sendSince(Number(query.get('resourceVersion')), response);
  }

  #sendInitial(response: ServerResponse): void {
    for (const object of this.things.values()) response.write(lineOf({ type: 'ADDED', version: 0, object }));
    const annotations = this.watchList === 'offered' ? { 'k8s.io/initial-events-end': 'true' } : undefined;
    response.write(`${JSON.stringify(this.#bookmark(annotations))}\n`);
  }

  #sendSince(version: number, response: ServerResponse): void {
    if (version < this.#compacted) {
      this.#watches.delete(response);
      const object = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };
      response.end(`${JSON.stringify({ type: 'ERROR', object })}\n`);
      return;
    }
    for (const change of this.#history) if (change.version > version) response.write(lineOf(change));
  }

  #bookmark(annotations?: Record<string, string>): object {
    return { type: 'BOOKMARK', object: { kind: 'Thing', metadata: { resourceVersion: this.version, annotations } } };
  }
}

const lineOf = ({ type, object }: Change): string => `${JSON.stringify({ type, object })}\n`;
const status = (message: string): string => JSON.stringify({ kind: 'Status', message });
