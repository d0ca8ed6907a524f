// Which process holds the other end of a loopback connection: the kernel knows.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

/** The one of these processes that serves the other end of our socket, over IPv4. */
export function ownerOf(socket: Pick<Socket, 'localPort' | 'remotePort'>, pids: readonly number[]): number | undefined {
  const ends = new RegExp(`: \\w+:${hex(socket.remotePort ?? 0)} \\w+:${hex(socket.localPort ?? 0)} 01 `);
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .find((text) => ends.test(text));
  const inode = line?.trim().split(/\s+/)[9];
  return pids.find((pid) => holds(pid, `socket:[${inode}]`));
}

function holds(pid: number, wanted: string): boolean {
  const directory = `/proc/${pid}/fd`;
  return readdirSync(directory).some((fd) => {
    try {
      return readlinkSync(`${directory}/${fd}`) === wanted;
    } catch {
      // Closed meanwhile.
      return false;
    }
  });
}
