// Connections: dialled, accepted and spliced. The socket handles of Node are in native.ts, an entry of its own: who only
// binds needs no more.
export { type Dial, type Dialled, localDial, type Resolve, thisMachine, type Vantage } from './dial.ts';
export { duplexOfWire } from './duplex-of-wire.ts';
export { IdleWatch } from './idle-watch.ts';
export { acceptOn, isFree, type Listener, listen } from './listen.ts';
export { stopReading } from './native.ts';
export { type Meter, type Splice, splice } from './splice.ts';
export { wireOfTls } from './tls-wire.ts';
export { type Endpoint, type Sink, silentSink, type Wire } from './wire.ts';
