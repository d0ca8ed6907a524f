import { isIPv6 } from 'node:net';

/**
 * What `ip` is told to put an address on the loopback interface. Host scope, or deprecated at once for IPv6: nothing else may
 * take it for the source of its own connections.
 */
export const addressArguments = (address: string): string[] =>
  isIPv6(address)
    ? ['address', 'add', `${address}/128`, 'dev', 'lo', 'preferred_lft', '0']
    : ['address', 'add', `${address}/32`, 'dev', 'lo', 'scope', 'host'];
