// A program: so many unauthenticated peers that flood a port, and connect again when they are closed or have sent all that
// they have. Arguments: port, kind, peers, key id. It ends with its parent.
import { connect } from 'node:tls';
import { type FloodKind, floodOf } from './floods.ts';

const [port = '', kind = '', peers = '', keyId = ''] = process.argv.slice(2);
const flood = floodOf(kind as FloodKind, keyId);
const alpn = kind === 'trunk' ? 'causeway/1' : 'h2';
const partBytes = 64 * 1024;
/** A port that is busy and does not answer is tried again. */
const connectTimeoutMs = 10_000;
const counts = { connections: 0, closed: 0, bytes: 0 };

function attack(): void {
  counts.connections += 1;
  const socket = connect({
    host: '127.0.0.1',
    port: Number(port),
    servername: 'tunnel.example',
    ALPNProtocols: [alpn],
    rejectUnauthorized: false,
  });
  let at = 0;
  const send = (): void => {
    while (!socket.destroyed) {
      if (at >= flood.requests.length) {
        socket.destroy();
        return;
      }
      const part = flood.requests.subarray(at, at + partBytes);
      at += part.length;
      counts.bytes += part.length;
      if (!socket.write(part)) return;
    }
  };
  socket.setTimeout(connectTimeoutMs, () => socket.destroy());
  socket.once('secureConnect', () => {
    socket.setTimeout(0);
    socket.write(flood.preface);
    send();
  });
  socket.on('drain', send);
  socket.on('data', () => {});
  socket.on('error', () => {});
  // It sees an end and goes on sending, as no good peer would.
  socket.once('close', () => {
    counts.closed += 1;
    setImmediate(attack);
  });
}

for (let count = 0; count < Number(peers); count += 1) attack();
process.send?.('attacking');
process.on('message', () => process.send?.(counts));
process.on('disconnect', () => process.exit(0));
