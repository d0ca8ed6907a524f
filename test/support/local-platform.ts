// The template `local` in a scratch directory, on addresses of its own: several may run side by side.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { manifestsOf } from '../../src/cli/init/templates.ts';
import { claimNetwork } from './loopback-network.ts';

export interface Manifest {
  readonly path: string;
  readonly text: string;
}

export interface LocalPlatform {
  readonly directory: string;
  /** 127.X, which all its addresses begin with. */
  readonly network: string;
  at(...names: string[]): string;
  edit(file: string, change: (text: string) => string): void;
  remove(): void;
}

const answers = { domain: 'kubermatic.example.com', name: 'example' };

/** @param manifests Those of another version of the template. */
export function localPlatform(
  manifests: readonly Manifest[] = manifestsOf('local', answers, '.causeway/schema.json'),
): LocalPlatform {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-up-'));
  const { network, release } = claimNetwork();
  const at = (...names: string[]): string => path.join(directory, ...names);
  for (const { path: name, text } of manifests) {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text.replaceAll('127.50.', `${network}.`));
  }
  return {
    directory,
    network,
    at,
    edit: (file, change) => writeFileSync(at(file), change(readFileSync(at(file), 'utf8'))),
    remove: () => {
      rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
      release();
    },
  };
}
