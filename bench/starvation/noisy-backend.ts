// A program: the backend of noisy tenants. To 'all' it sends bytes without end, to everybody else what they sent.
import { createServer } from 'node:net';

const block = Buffer.alloc(64 * 1024, 1);

const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', (first) => {
    const fill = (): void => {
      while (socket.writable && socket.write(block));
    };
    if (first.toString('latin1') !== 'all') socket.write(first);
    else fill();
    socket.on('drain', first.toString('latin1') === 'all' ? fill : () => {});
  });
  socket.on('end', () => socket.end()).resume();
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
  process.send?.((server.address() as { port: number }).port),
);
process.on('disconnect', () => process.exit(0));
