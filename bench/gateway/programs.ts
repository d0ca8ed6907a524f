// Where the programs come from that take part.
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../src/core/errors.ts';
import { needPrograms } from '../../src/programs/need-programs.ts';

// Daemons live where the PATH of a normal user does not look.
const systemDirectories = ['/usr/local/sbin', '/usr/sbin', '/usr/local/go/bin'];
const streamModules = ['/usr/lib/nginx/modules', '/usr/lib64/nginx/modules', '/usr/local/lib/nginx/modules'];

export interface PeerPrograms {
  readonly envoy: string;
  readonly haproxy: string;
  readonly nginx: string;
}

/** All of them at once and at the start, and not after minutes when the first row needs one. */
export async function findPeers(taking: (peer: string) => boolean): Promise<PeerPrograms> {
  const find = (name: string, packages: string): string =>
    taking(name) ? foundOr(name, `apt-get install ${packages}`) : '';
  return {
    haproxy: find('haproxy', 'haproxy'),
    nginx: find('nginx', 'nginx-light libnginx-mod-stream'),
    envoy: taking('envoy') ? (await needPrograms(['envoy'])).envoy : '',
  };
}

/** Path of a program; a benchmark without one of its peers is none, so its absence is an error. */
export function foundOr(name: string, fix: string): string {
  const directories = [...(process.env.PATH ?? '').split(path.delimiter), ...systemDirectories];
  const found = directories.map((directory) => path.join(directory, name)).find(isExecutable);
  if (found === undefined)
    throw new CausewayError('CW-CLI-BENCH', `the benchmark needs ${name}, which is missing`, fix);
  return found;
}

/** nginx's stream module is a file of its own in most distributions, and compiled in elsewhere. */
export function nginxStreamModule(): string {
  const file = streamModules.map((directory) => path.join(directory, 'ngx_stream_module.so')).find(existsSync);
  return file === undefined ? '' : `load_module ${file};`;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
