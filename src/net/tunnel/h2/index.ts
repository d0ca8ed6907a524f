// Streams of HTTP/2 as wires, for both sides of a tunnel.
export { maximumHeaders, StreamWire, sessionWindow, streamsPerSession, streamWindow } from './stream-wire.ts';
