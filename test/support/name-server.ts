// A DNS server on loopback that answers what a test tells it, and is silent where the test wants that.
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { isIPv6, SocketAddress } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createResolver, type ResolverOptions } from '../../src/net/resolve/resolver.ts';
import type { Resolve } from '../../src/net/wire/index.ts';

interface After {
  after(work: () => void | Promise<void>): void;
}
/** Addresses of a name, or why there are none. */
export type Zone = readonly string[] | 'NXDOMAIN' | 'SERVFAIL' | 'silent';

export interface NameServer {
  readonly port: number;
  /** Every question in order, as "TYPE name". */
  readonly asked: string[];
  /** What holds from now on. */
  zone(name: string): Zone;
  ttl: number;
  /** How long each answer takes. */
  delayMs: number;
  /** Answers what it was silent about, and is never silent again. */
  release(): Promise<void>;
}

const types: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };
const rcodes: Readonly<Record<string, number>> = { NXDOMAIN: 3, SERVFAIL: 2 };

export async function nameServer(t: After, zone: (name: string) => Zone): Promise<NameServer> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  let silent: (() => Promise<void>)[] | undefined = [];
  const release = async (): Promise<void> => {
    const held = silent ?? [];
    silent = undefined;
    await Promise.all(held.map((answer) => answer()));
  };
  t.after(async () => {
    await release();
    socket.close();
  });
  const server: NameServer = { port: socket.address().port, asked: [], zone, ttl: 30, delayMs: 0, release };
  socket.on('message', (question: Buffer, { port, address }: RemoteInfo) => {
    const { name, type, end } = readQuestion(question);
    const found = server.zone(name);
    server.asked.push(`${types[type]} ${name}`);
    const answer = (zone: Zone): Promise<void> =>
      new Promise((sent) =>
        socket.send(answerTo(question.subarray(0, end), type, zone, server.ttl), port, address, () => sent()),
      );
    if (found !== 'silent') setTimeout(answer, server.delayMs, found);
    else if (silent === undefined) void answer('NXDOMAIN');
    else silent.push(() => answer('NXDOMAIN'));
  });
  return server;
}

function readQuestion(question: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: question.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(question: Buffer, type: number, zone: Zone, ttl: number): Buffer {
  const addresses = typeof zone === 'string' ? [] : zone.filter((one) => isIPv6(one) === (type === 28));
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | (rcodes[String(zone)] ?? 0), 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...addresses.map((address) => record(address, ttl))]);
}

function record(address: string, ttl: number): Buffer {
  const bytes = isIPv6(address) ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number));
  const head = Buffer.alloc(12);
  // The name of the question.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(isIPv6(address) ? 28 : 1, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttl, 6);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}

function ipv6Bytes(address: string): Buffer {
  const [before = '', after = ''] = new SocketAddress({ address, family: 'ipv6' }).address.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const missing = 8 - groups(before).length - groups(after).length;
  const all = [...groups(before), ...Array.from({ length: missing }, () => '0'), ...groups(after)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

export interface TestedResolver {
  readonly resolve: Resolve;
  readonly server: NameServer;
  /** Moves the resolver's clock. */
  pass(ms: number): void;
  write(file: 'hosts' | 'resolv.conf', text: string): void;
}

/** A resolver by files of its own, on a clock of its own. */
export async function testedResolver(
  t: After,
  zone: (name: string) => Zone,
  options: ResolverOptions & { readonly hosts?: string; readonly conf?: string } = {},
): Promise<TestedResolver> {
  const server = await nameServer(t, zone);
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-names-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const write = (file: string, text: string): void => writeFileSync(path.join(directory, file), text);
  write('hosts', options.hosts ?? '');
  write('resolv.conf', options.conf ?? 'nameserver 127.0.0.1\n');
  let now = 0;
  const resolve = createResolver({
    hostsFile: path.join(directory, 'hosts'),
    resolvConfFile: path.join(directory, 'resolv.conf'),
    port: server.port,
    clock: () => now,
    ...options,
  });
  return { resolve, server, write, pass: (ms) => (now += ms) };
}
