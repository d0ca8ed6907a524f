// The trunk: our own multiplexing protocol, both sides.
export { frameTypes, headerBytes, openPayload, trunkPreface, trunkProtocol, writeHeader } from './frame.ts';
export { TrunkClient } from './trunk-client.ts';
export { TrunkServer, type TrunkServerEvents } from './trunk-server.ts';
export { streamWindow, TrunkWire } from './trunk-wire.ts';
