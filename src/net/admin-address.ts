// Where a program's own page is served: a unix socket, which only its user can open, or a loopback address with a port, where
// every user and process of the machine can connect and a token is asked for. Nowhere else, for whoever is let in may see
// everything and stop the program.
import { isIP } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { CausewayError } from '../core/errors.ts';
import { hostPort, isLoopback } from '../core/host-port.ts';

export type AdminAddress =
  | { readonly path: string; readonly host?: undefined }
  | { readonly host: string; readonly port: number; readonly path?: undefined };

/** An address, and who is let in there. */
export type AdminPlace = Extract<AdminAddress, { path: string }> | TcpPlace;
export type TcpPlace = Extract<AdminAddress, { host: string }> & { readonly tokenFile: string };

const form = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+)):(\d{1,5})$/;

export function readAdminAddress(text: string): AdminAddress {
  if (text.startsWith('unix:') && text.length > 'unix:'.length) return { path: text.slice('unix:'.length) };
  const [, v6, other = '', port = ''] = form.exec(text) ?? [];
  const host = v6 ?? (other === 'localhost' ? '127.0.0.1' : other);
  if (isIP(host) === 0 || Number(port) > 65_535)
    throw new CausewayError(
      'CW-ADMIN-ADDRESS',
      `"${text}" is no admin address`,
      'write unix:/run/causeway/gateway.sock, 127.0.0.1:9902 or [::1]:9902',
    );
  if (!isLoopback(host))
    throw new CausewayError(
      'CW-ADMIN-ADDRESS',
      `the admin address ${text} can be reached from outside, and its token would cross the network without TLS`,
      'use unix:PATH, 127.0.0.1 or ::1; to read metrics from elsewhere put a proxy with TLS and authentication in front of it',
    );
  return { host, port: Number(port) };
}

/** What was asked for by --admin and --admin-token-file. */
export function readAdminPlace(text: string, tokenFile: string | undefined): AdminPlace {
  const address = readAdminAddress(text);
  if (address.path === undefined && tokenFile !== undefined) return { ...address, tokenFile };
  if (address.path !== undefined && tokenFile === undefined) return address;
  throw address.path === undefined
    ? new CausewayError(
        'CW-ADMIN-TOKEN',
        `every user of this machine can connect to the admin address ${text}, and no token was named`,
        'leave out --admin (a unix socket, which only you can open), or make a token and name it: (umask 077; openssl rand -hex 32 > admin.token), --admin-token-file admin.token',
      )
    : new CausewayError(
        'CW-ADMIN-TOKEN',
        `${tokenFile} is for an admin address with a port, and ${text} is a unix socket, which only you can open`,
        'leave out --admin-token-file, or give --admin 127.0.0.1:PORT',
      );
}

/** Where the user has a place for sockets; systemd makes one for a unit with RuntimeDirectory=. */
export function usualAdminSocket(program: 'gateway' | 'agent', env: NodeJS.ProcessEnv = process.env): AdminAddress {
  const [ofUnit = ''] = (env.RUNTIME_DIRECTORY ?? '').split(':');
  const { XDG_RUNTIME_DIR: ofUser = '' } = env;
  const directory = path.isAbsolute(ofUnit)
    ? ofUnit
    : path.isAbsolute(ofUser)
      ? path.join(ofUser, 'causeway')
      : path.join(tmpdir(), `causeway-${userInfo().uid}`);
  return { path: path.join(directory, `${program}.sock`) };
}

export const adminAddressText = (address: AdminAddress): string => {
  if (address.path !== undefined) return `unix:${address.path}`;
  return hostPort(address.host, address.port);
};

/** For node:http requests. */
export const adminRequest = (address: AdminAddress): object =>
  address.path !== undefined ? { socketPath: address.path } : { host: address.host, port: address.port };
