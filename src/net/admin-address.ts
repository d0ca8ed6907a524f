// Where a program's own page is served: a loopback address with a port, or a unix socket. Nowhere else, for whoever
// reaches it may see everything and stop the program.
import { isIP } from 'node:net';
import { CausewayError } from '../core/errors.ts';
import { hostPort, isLoopback } from './host-port.ts';

export type AdminAddress =
  | { readonly path: string; readonly host?: undefined }
  | { readonly host: string; readonly port: number; readonly path?: undefined };

const form = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+)):(\d{1,5})$/;

export function readAdminAddress(text: string): AdminAddress {
  if (text.startsWith('unix:') && text.length > 'unix:'.length) return { path: text.slice('unix:'.length) };
  const [, v6, other = '', port = ''] = form.exec(text) ?? [];
  const host = v6 ?? (other === 'localhost' ? '127.0.0.1' : other);
  if (isIP(host) === 0 || Number(port) > 65_535)
    throw new CausewayError(
      'CW-ADMIN-ADDRESS',
      `"${text}" is no admin address`,
      'write 127.0.0.1:9902, [::1]:9902 or unix:/run/causeway/gateway.sock',
    );
  if (!isLoopback(host))
    throw new CausewayError(
      'CW-ADMIN-ADDRESS',
      `the admin address ${text} can be reached from outside, and it has no authentication`,
      'use 127.0.0.1, ::1 or unix:PATH; to read metrics from elsewhere put a proxy with authentication in front of it',
    );
  return { host, port: Number(port) };
}

export const adminAddressText = (address: AdminAddress): string => {
  if (address.path !== undefined) return `unix:${address.path}`;
  return hostPort(address.host, address.port);
};

/** For node:http requests. */
export const adminRequest = (address: AdminAddress): object =>
  address.path !== undefined ? { socketPath: address.path } : { host: address.host, port: address.port };
