// The program of a gateway: the command line from the sources, as its workers are, because a bundle may be gone when the
// next process is started.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('../../../', import.meta.url));

export const gatewayProgram = path.join(sources, 'cli/main.ts');

/** All that a gateway loads, but for the command line around it. */
const rooms = ['core', 'sys', 'net', 'gateway'];

/** Another one for a program that may behave differently: a gateway that runs hands over to it. */
export function programDigest(root = sources): string {
  const digest = createHash('sha256');
  for (const room of rooms)
    for (const file of filesBelow(path.join(root, room))) {
      digest.update(path.relative(root, file));
      digest.update(readFileSync(file));
    }
  return digest.digest('hex').slice(0, 16);
}

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .sort();
