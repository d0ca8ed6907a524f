import { readFileSync } from 'node:fs';

export function versionText(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  return `causeway ${version} (node ${process.versions.node})`;
}

export async function runVersion(): Promise<number> {
  process.stdout.write(`${versionText()}\n`);
  return 0;
}
