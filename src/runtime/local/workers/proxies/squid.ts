// Squid as a corporate proxy: it asks for user and password, and lets CONNECT out to the ports that it allows.

import { hash } from 'node:crypto';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compareSync, hashSync } from 'bcryptjs';
import { type ComponentSpec, type Driver, type Observed, verdictOnComponent } from '../../../../control-plane/index.ts';
import { type HostPort, hostPort } from '../../../../core/host-port.ts';
import { type Verdict, verdictStarting } from '../../../../reconcile/index.ts';
import { privateDirectory, readPrivate, writePrivate } from '../../../../sys/private-files.ts';
import type { LocalProxy, ProxyConfig } from './demo-proxies.ts';

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

interface SquidInput {
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

const squidName = ({ host, port }: HostPort): string => `proxy-${host}-${port}`;

/** Not in its directory: it is read before squid gives up root, and nobody else may change it. */
const squidFile = (state: string, name: string): string => path.join(state, `${name}.conf`);

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

// Squid as the demo's proxy: its files, and its process by the driver.

/** Where a proxy is made to run: all that the platform has are told to the driver together. */
export interface SquidComponents {
  put(spec: ComponentSpec): void;
  look(name: string): Observed | undefined;
  take(name: string): void;
}

/** The platform's own components: they belong to no cluster. */
const scope = 'platform';

export function createSquidComponents(driver: Driver): SquidComponents {
  const specs = new Map<string, ComponentSpec>();
  const apply = (): void => driver.apply(scope, [...specs.values()]);
  return {
    put: (spec) => {
      specs.set(spec.name, spec);
      apply();
    },
    look: (name) => driver.look().find((one) => one.scope === scope && one.name === name),
    take: (name) => {
      if (specs.delete(name)) apply();
    },
  };
}

export class SquidProxy implements LocalProxy {
  readonly #programs: SquidPrograms;
  readonly #components: SquidComponents;
  readonly #state: string;
  #directory: SquidDirectory | undefined;
  #passwords = '';
  #name = '';

  constructor(programs: SquidPrograms, components: SquidComponents, state: string) {
    this.#programs = programs;
    this.#components = components;
    this.#state = state;
  }

  async apply({ listen, credentials: { user, password }, connectPorts, hosts }: ProxyConfig): Promise<void> {
    this.#name = squidName(listen);
    this.#directory ??= squidDirectory(this.#state, this.#name);
    const { directory, write } = this.#directory;
    this.#passwords ||= readPasswords(directory);
    // The same hash for the same password, or squid would be started again for nothing.
    if (!this.#passwords.startsWith(`${user}:`) || !compareSync(password, this.#passwords.slice(user.length + 1)))
      this.#passwords = `${user}:${hashSync(password, 8)}`;
    const names = [...hosts].map(([name, address]) => `${address} ${name}\n`).join('');
    write(passwordsIn(directory), `${this.#passwords}\n`);
    write(hostsIn(directory), `127.0.0.1 localhost\n${names}`);
    const mark = hash('sha256', `${this.#passwords}\n${names}`);
    const state = this.#state;
    this.#components.put(squid({ programs: this.#programs, listen, connectPorts, directory, state, mark }));
  }

  look(): Verdict {
    const found = this.#components.look(this.#name);
    return found === undefined ? verdictStarting() : verdictOnComponent(found);
  }

  async stop(): Promise<void> {
    this.#components.take(this.#name);
    this.#directory?.remove();
    rmSync(squidFile(this.#state, this.#name), { force: true });
    this.#directory = undefined;
  }
}

/** Those of an earlier start, if there are any. */
const readPasswords = (directory: string): string =>
  existsSync(passwordsIn(directory)) ? readFileSync(passwordsIn(directory), 'utf8').trim() : '';

// Where squid finds passwords and names. Started by root it gives up root for a user of its own, who must be able to read
// and write there, and who cannot look into the state of the platform.

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Ourselves, unless squid will be somebody else. */
function squidUser(): Owner {
  const us = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (us.uid !== 0) return us;
  const line = /^(?:proxy|squid):[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return line === null ? us : { uid: Number(line[1]), gid: Number(line[2]) };
}

interface SquidDirectory {
  readonly directory: string;
  /** A file that squid's user can read, and nobody else. */
  write(file: string, text: string): void;
  remove(): void;
}

/** The same one at every start, so that a squid that still runs is left alone. */
function squidDirectory(state: string, name: string): SquidDirectory {
  privateDirectory(state);
  const owner = squidUser();
  const note = path.join(state, `${name}-directory`);
  const known = readPrivate(note)?.trim();
  const directory = known !== undefined && isOwnedBy(known, owner) ? known : newDirectory(state, owner);
  writePrivate(note, `${directory}\n`);
  return {
    directory,
    write: (file, text) => {
      // Never through a link that squid's user may have put there.
      rmSync(file, { force: true });
      writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
      chownSync(file, owner.uid, owner.gid);
    },
    remove: () => {
      for (const each of [directory, note]) rmSync(each, { recursive: true, force: true });
    },
  };
}

function newDirectory(state: string, owner: Owner): string {
  const parent = owner.uid === process.getuid?.() ? state : tmpdir();
  const directory = mkdtempSync(path.join(parent, 'causeway-squid-'));
  chownSync(directory, owner.uid, owner.gid);
  return directory;
}

function isOwnedBy(directory: string, { uid }: Owner): boolean {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === uid;
}
