// Which real workers this machine has had since it started, so that none stays for ever when its directory is gone.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../net/log.ts';
import type { Layout } from './layout.ts';
import { sweep } from './sweep.ts';

const directory = '/run/causeway-workers';
const fileOf = (id: string): string => path.join(directory, id);

export async function claim(layout: Layout): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(fileOf(layout.id), JSON.stringify(layout), { mode: 0o600 });
}

export const release = ({ id }: Layout): Promise<void> => rm(fileOf(id), { force: true });

/** A worker whose directory exists belongs to the platform there, which takes care of it itself. */
export async function sweepAbandoned(log: Log): Promise<void> {
  const ids = await readdir(directory).catch(() => []);
  for (const id of ids) {
    const layout = JSON.parse(await readFile(fileOf(id), 'utf8')) as Layout;
    if (existsSync(layout.root)) continue;
    log.warn(`removing what is left of a real worker whose directory is gone: ${layout.root}`);
    await sweep(layout);
    await release(layout);
  }
}
