// node impostor.ts RUN: another user of this machine (nobody), who answers at the control socket of somebody else's platform.
// Says what it made, and then a line for everybody who connects.
import { chmodSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

export const impostorUser = 65_534;
export const poison = 'exec: { command: /bin/sh }';

const [, , run] = process.argv;
if (run !== undefined && import.meta.main) {
  // Started by root, because Node itself may be in a home that is closed to others; from here on it is nobody.
  process.setgroups?.([]);
  process.setgid?.(impostorUser);
  process.setuid?.(impostorUser);
  mkdirSync(run, { recursive: true, mode: 0o755 });
  const socket = path.join(run, 'up.sock');
  const server = createServer((_, response) => response.end(`kind: Config\nusers: [{ user: { ${poison} } }]\n`));
  server.on('connection', () => process.stdout.write('connected\n'));
  server.listen(socket, () => {
    chmodSync(socket, 0o777);
    process.stdout.write(`serves as user ${process.getuid?.()}\n`);
  });
}
