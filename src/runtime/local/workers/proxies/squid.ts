// Squid as a corporate proxy: it asks for user and password, and lets CONNECT out to the ports that it allows.
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import type { ComponentSpec } from '../../../../control-plane/component.ts';
import { type HostPort, hostPort } from '../../../../net/host-port.ts';

export interface SquidPrograms {
  readonly squid: string;
  /** Compares passwords with a file of hashes. */
  readonly passwordHelper: string;
}

/** Undefined where it is not installed, or not whole. */
export function findSquid(env: NodeJS.ProcessEnv = process.env): SquidPrograms | undefined {
  // Daemons live where the PATH of a normal user does not look.
  const directories = [...(env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];
  const squid = directories.map((directory) => path.join(directory, 'squid')).find(isExecutable);
  const passwordHelper = helperOf('basic_ncsa_auth');
  return squid === undefined || passwordHelper === undefined ? undefined : { squid, passwordHelper };
}

/** It is where the distribution puts squid's helpers. */
export const helperOf = (name: string): string | undefined =>
  ['/usr/lib', '/usr/lib64', '/usr/libexec'].map((root) => `${root}/squid/${name}`).find(existsSync);

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return path.isAbsolute(file);
  } catch {
    return false;
  }
}

export interface SquidInput {
  readonly programs: SquidPrograms;
  readonly listen: HostPort;
  readonly connectPorts: readonly number[];
  /** Holds `passwords` and `hosts`; squid's own user reads and writes in it. */
  readonly directory: string;
  readonly more?: {
    /** Further words of its port line. */
    readonly port?: string;
    readonly tls?: boolean;
    /** Before its rules. */
    readonly lines?: readonly string[];
    /** A line for each request; it grows without end. */
    readonly accessLog?: boolean;
  };
}

export const passwordsIn = (directory: string): string => path.join(directory, 'passwords');
export const hostsIn = (directory: string): string => path.join(directory, 'hosts');
export const accessLogIn = (directory: string): string => path.join(directory, 'access.log');

export const squidConfiguration = ({ programs, listen, connectPorts, directory, more = {} }: SquidInput): string =>
  [
    `${more.tls ? 'https_port' : 'http_port'} ${hostPort(listen.host, listen.port)}${more.port ?? ''}`,
    'pid_filename none',
    `hosts_file ${hostsIn(directory)}`,
    `cache_log ${path.join(directory, 'cache.log')}`,
    `access_log ${more.accessLog ? `stdio:${accessLogIn(directory)}` : 'none'}`,
    'cache deny all',
    `coredump_dir ${directory}`,
    'shutdown_lifetime 0 seconds',
    `auth_param basic program ${programs.passwordHelper} ${passwordsIn(directory)}`,
    'auth_param basic children 1',
    'auth_param basic realm corporate proxy',
    'acl known proxy_auth REQUIRED',
    `acl allowed port ${connectPorts.join(' ')}`,
    ...(more.lines ?? []),
    'http_access deny CONNECT !allowed',
    'http_access allow known',
    'http_access deny all',
    '',
  ].join('\n');

export const squidName = ({ host, port }: HostPort): string => `proxy-${host}-${port}`;

/** Not in its directory: it is read before squid gives up root, and nobody else may change it. */
export const squidFile = (state: string, name: string): string => path.join(state, `${name}.conf`);

/** `mark` changes with passwords and names, which it reads at its start only. */
export function squid(input: SquidInput & { readonly state: string; readonly mark: string }): ComponentSpec {
  const { programs, listen, state, mark } = input;
  const file = squidFile(state, squidName(listen));
  return {
    scope: 'platform',
    name: squidName(listen),
    program: { file: programs.squid },
    // In the foreground, and important messages on its output.
    args: ['-N', '-d', '1', '-f', file],
    files: [{ path: file, text: `# ${mark}\n${squidConfiguration(input)}` }],
    probe: { kind: 'tcp', host: listen.host, port: listen.port },
  };
}
