import { readFileSync } from 'node:fs';

export async function runVersion(): Promise<number> {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  process.stdout.write(`causeway ${version} (node ${process.versions.node})\n`);
  return 0;
}
