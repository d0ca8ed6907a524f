// What we know of the bytes that programs are made of, so that no registry and no mirror can give us others. Of modules
// for Go it is the whole list of them with their sums, which Go itself compares; of official downloads their SHA-256.
import { existsSync, readFileSync } from 'node:fs';

const here = new URL('./', import.meta.url);

export const pinDirectory = (module: string, version: string, root = here): URL =>
  new URL(`${module.replaceAll('/', '_')}@${version}/`, root);

/** Where go.mod and go.sum are; undefined for versions that we do not know. */
export function goPin(module: string, version: string, root = here): URL | undefined {
  const directory = pinDirectory(module, version, root);
  return existsSync(new URL('go.sum', directory)) ? directory : undefined;
}

/** Lines of "digest  kubernetes/1.36.3/linux-x64/kubectl". */
export const downloadSums = (root = here): URL => new URL('downloads.sums', root);

export function downloadPin(name: string, root = here): string | undefined {
  const lines = readFileSync(downloadSums(root), 'utf8').split('\n');
  return lines.find((line) => line.slice(64) === `  ${name}`)?.slice(0, 64);
}
