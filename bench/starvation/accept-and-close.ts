// A program: what nobody can avoid. It carries a quiet connection to a backend, and beside that accepts and closes whatever
// comes to a second port, in one event loop as a worker of the gateway has. Argument: the backend's port.
import { listen, localDial, splice } from '../../src/net/wire/index.ts';

const backend = Number(process.argv[2]);
const attacked = await listen('127.0.0.1', 0, (wire) => wire.destroy());
const quiet = await listen('127.0.0.1', 0, (wire) => {
  localDial('127.0.0.1', backend, 3000, (_error, upstream) => {
    if (upstream === undefined) wire.destroy(true);
    else splice(wire, upstream, { sent: 0, received: 0 }, () => {});
  });
});
process.send?.({ attacked: attacked.local.port, quiet: quiet.local.port });
process.on('disconnect', () => process.exit(0));
