// The side of a tunnel that opens streams. The accepting side takes h2/ and trunk/ alone, and loads no dialling.
export { TunnelRefused } from './errors.ts';
export {
  createTransport,
  type DialDone,
  type Dialer,
  type GatewayState,
  type OpenDone,
  type Transport,
  type TransportOptions,
  type TransportState,
  tunnelProtocols,
} from './transport.ts';
