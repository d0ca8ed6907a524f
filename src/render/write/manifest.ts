// What render wrote before: the only files it may replace or remove.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { renderIndexFile } from '../../model/load/index.ts';
import { RenderError } from '../errors.ts';

export const manifestName = renderIndexFile;

const entry = z.strictObject({
  artefact: z.string(),
  sha256: z.string(),
  /** Content that may still be there, if the last run was cut off half-way. */
  previous: z.string().optional(),
});
const schema = z.strictObject({ format: z.literal('causeway.dev/render/v1'), files: z.record(z.string(), entry) });

export type ManifestEntry = z.infer<typeof entry>;
export type Manifest = ReadonlyMap<string, ManifestEntry>;

export const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

export async function readManifest(outDir: string): Promise<Manifest> {
  const file = path.join(outDir, manifestName);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new RenderError('bad-manifest', `${file} cannot be read: ${error.message}`, 'Check its permissions.', error);
  });
  if (text === undefined) return new Map();
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return new Map(Object.entries(parsed.data.files));
  const fix = 'Restore it, or render into an empty directory; without it nobody knows which files are ours.';
  throw new RenderError('bad-manifest', `${file} is not the list of files that render keeps.`, fix);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function manifestText(manifest: Manifest): string {
  const files = Object.fromEntries([...manifest].sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ format: 'causeway.dev/render/v1', files }, null, 2)}\n`;
}
