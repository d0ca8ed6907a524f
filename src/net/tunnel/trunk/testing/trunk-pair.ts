// For tests: both ends of a trunk, over a real connection.
import type { TestContext } from 'node:test';
import { localDial } from '../../../wire/dial.ts';
import { listen } from '../../../wire/listen.ts';
import type { Wire } from '../../../wire/wire.ts';
import { TrunkClient, type TrunkClientEvents } from '../trunk-client.ts';
import { TrunkServer } from '../trunk-server.ts';
import type { TrunkWire } from '../trunk-wire.ts';

export const limit = { timeout: 30_000 };
export const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const dialled = (port: number): Promise<Wire> =>
  new Promise((resolve, reject) => {
    localDial('127.0.0.1', port, 5000, (error, wire) => (wire === undefined ? reject(error) : resolve(wire)));
  });

interface Served {
  readonly port: number;
  readonly streams: TrunkWire[];
  readonly servers: TrunkServer[];
}

/** A gateway that accepts everything but `no`. */
export async function server(t: TestContext): Promise<Served> {
  const streams: TrunkWire[] = [];
  const servers: TrunkServer[] = [];
  const listener = await listen('127.0.0.1', 0, (wire) => {
    const trunk = new TrunkServer(wire, {
      greeted: (one) => one.greet(one.credentials === 'bad' ? { code: 'bad-token', sentence: 'No.' } : undefined),
      open: (one, stream, authority) => {
        if (authority === 'no') one.refuse(stream, 'unknown-authority', 'No such place.');
        else {
          one.accept(stream);
          streams.push(stream);
        }
      },
      freed: () => {},
      lost: () => {},
    });
    servers.push(trunk);
    trunk.start(Buffer.alloc(0));
  });
  t.after(() => {
    listener.close();
    for (const trunk of servers) trunk.close();
  });
  return { port: listener.local.port, streams, servers };
}

interface Pair extends Served {
  readonly client: TrunkClient;
  readonly lost: Promise<Error | undefined>;
  readonly heard: string[];
  /** The far end of the connection that was opened as the nth. */
  far(index: number): Promise<TrunkWire>;
}

export async function pair(t: TestContext, credentials?: string): Promise<Pair> {
  const served = await server(t);
  const heard: string[] = [];
  let gone: (error: Error | undefined) => void = () => {};
  const lost = new Promise<Error | undefined>((resolve) => {
    gone = resolve;
  });
  const events: TrunkClientEvents = {
    greeted: (_trunk, refusal) => heard.push(refusal?.refusal ?? 'welcome'),
    room: () => {},
    pong: () => heard.push('pong'),
    lost: (_trunk, error) => gone(error),
  };
  const client = new TrunkClient(await dialled(served.port), credentials, events);
  t.after(() => client.close());
  while (heard.length === 0) await soon();
  const far = async (index: number): Promise<TrunkWire> => {
    while (served.streams.length <= index) await soon();
    return served.streams[index] as TrunkWire;
  };
  return { ...served, client, lost, heard, far };
}
