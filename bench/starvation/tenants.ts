// A program: what tenants with good credentials, and clients of a tenant, do to others. Arguments: kind, port, token. It ends
// with its parent.
import { connect as connectTcp } from 'node:net';
import { connect } from 'node:tls';
import { clientHello } from '../../src/gateway/supervisor/testing/backend.ts';
import { createTransport, type Dialer, type Transport } from '../../src/net/tunnel/index.ts';
import { silentSink, wireOfTls } from '../../src/net/wire/index.ts';
import { noisyAuthority, noisyName, noisyTenants, type TenantKind } from './tenant-names.ts';

const [kind = '', portText = '', token = ''] = process.argv.slice(2);
const port = Number(portText);
const trunks = 10;
const streamsPerTrunk = 1000;
const connectionsPerTenant = 5;
const clientsOfOne = 10_240;
const againMs = 100;
/** Many at once would only fill the queue of the listener. */
const clientsPerMs = 5;

const dialer: Dialer = (address, done) => {
  const socket = connect({
    ...address,
    servername: 'tunnel.example',
    ALPNProtocols: ['causeway/1'],
    rejectUnauthorized: false,
  });
  socket.once('error', done);
  socket.once('secureConnect', () => {
    socket.removeAllListeners('error');
    done(undefined, { wire: wireOfTls(socket), alpn: 'causeway/1' });
  });
  return () => socket.on('error', () => {}).destroy();
};

/** Asks for bytes and reads none; another one takes the place of a connection that was reset. */
function stall(by: Transport): void {
  by.open(noisyAuthority, (_error, wire) => {
    const again = (): void => void setTimeout(stall, againMs, by);
    if (wire === undefined) {
      again();
      return;
    }
    wire.pause();
    wire.read({ ...silentSink, closed: again });
    wire.write(Buffer.from('all'), 0);
  });
}
function stalledStreams(): void {
  for (let i = 0; i < trunks; i++) {
    const gateways = [{ host: '127.0.0.1', port }];
    const transport = createTransport({ gateways, dialer, protocol: 'trunk', credentials: () => token });
    for (let stream = 0; stream < streamsPerTrunk; stream++) stall(transport);
  }
}

/** Connects, sends, and after an answer begins again; `stays`: is silent then. */
function client(name: string, stays: boolean): void {
  const socket = connectTcp({ host: '127.0.0.1', port }, () => socket.write(clientHello(name)));
  if (!stays) socket.once('data', () => socket.end(Buffer.alloc(64 * 1024)));
  socket.resume().on('error', () => {});
  socket.once('close', () => setTimeout(client, stays ? againMs : 1, name, stays));
}
function noisyClients(): void {
  for (let tenant = 0; tenant < noisyTenants; tenant++)
    for (let i = 0; i < connectionsPerTenant; i++) client(noisyName(tenant), false);
}
function clientsOfOneTenant(): void {
  let count = 0;
  const timer = setInterval(() => {
    for (let i = 0; i < clientsPerMs && count < clientsOfOne; i++, count++) client(noisyName(0), true);
    if (count >= clientsOfOne) clearInterval(timer);
  }, 1);
}

const attacks: Record<TenantKind, () => void> = {
  stalled: stalledStreams,
  noisy: noisyClients,
  files: clientsOfOneTenant,
};
attacks[kind as TenantKind]();
process.send?.('attacking');
process.on('disconnect', () => process.exit(0));
