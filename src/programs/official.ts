import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type OfficialDownload, platformName } from './catalogue/program.ts';
import type { ProgramsConfig } from './config.ts';
import { download } from './download.ts';
import { badChecksum, SourceUnavailable } from './errors.ts';
import { httpText, shownUrl } from './http-get.ts';
import type { InstallRequest, Obtained } from './obtain.ts';
import { downloadPin } from './pins/pins.ts';
import { tarEntries } from './tar.ts';

/** The publisher's own file, if its checksum is right. */
export async function fromPublisher(request: InstallRequest, config: ProgramsConfig): Promise<Obtained | undefined> {
  const source = request.program.official?.(request.version, config.platform, config.mirrors);
  if (source === undefined) return undefined;
  const tell = (detail?: string): void =>
    config.progress.step(request.subject, `downloading from ${new URL(source.url).host}`, detail);
  tell();
  const pinned = downloadPin(downloadName(request, fileOf(source), config), config.pins);
  const digest = pinned ?? (await publishedDigest(source, config));
  const part = path.join(config.cache, 'downloads', `${digest}.part`);
  await downloadVerified(source.url, digest, part, config, tell);
  const files = await unpack(source, part, request);
  await rm(part, { force: true });
  const proof = pinned === undefined ? 'SHA-256 as published there' : 'SHA-256 pinned';
  return { files, how: `downloaded from ${new URL(source.url).host} (${proof})` };
}

/** Under which its digest is looked up. */
export const downloadName = (
  { program, version }: Pick<InstallRequest, 'program' | 'version'>,
  file: string,
  { platform }: Pick<ProgramsConfig, 'platform'>,
): string => `${program.bundle}/${version}/${platformName(platform)}/${file}`;

export const fileOf = ({ url }: OfficialDownload): string => path.posix.basename(new URL(url).pathname);

const digestPattern = /^(?:sha256:)?([0-9a-f]{64})$/;

export async function publishedDigest(source: OfficialDownload, config: ProgramsConfig): Promise<string> {
  const { checksum } = source;
  const text = await httpText(checksum.url, config);
  const name = fileOf(source);
  const found = checksum.kind === 'lines' ? digestInLines(text, name) : digestInRelease(text, name);
  const digest = digestPattern.exec(found ?? '')?.[1];
  if (digest === undefined)
    throw new SourceUnavailable('failed', `${shownUrl(checksum.url)} has no checksum for ${name}`);
  return digest;
}

/** "digest", "digest  name" or "digest *name"; other lines, such as those of a signature, are left alone. */
export function digestInLines(text: string, name: string): string | undefined {
  const rows = text.split('\n').map((line) => line.trim().split(/\s+\*?/));
  const row = rows.find(
    ([digest = '', file]) => digestPattern.test(digest) && (file === undefined || path.posix.basename(file) === name),
  );
  return row?.[0];
}

function digestInRelease(text: string, name: string): string | undefined {
  const { assets = [] } = JSON.parse(text) as { assets?: { name: string; digest?: string }[] };
  return assets.find((asset) => asset.name === name)?.digest;
}

async function downloadVerified(
  url: string,
  digest: string,
  part: string,
  config: ProgramsConfig,
  tell: (detail: string) => void,
): Promise<void> {
  const continued = existsSync(part);
  await download(url, part, config, tell);
  const got = await sha256(part);
  if (got === digest) return;
  await rm(part, { force: true });
  // What an earlier process left may be at fault; the second time everything is new.
  if (continued) return downloadVerified(url, digest, part, config, tell);
  throw badChecksum(shownUrl(url), digest, got);
}

export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** An archive has all programs of its bundle; they are kept, so that it is fetched once. */
async function unpack(
  { archiveDirectory }: OfficialDownload,
  part: string,
  request: InstallRequest,
): Promise<string[]> {
  if (archiveDirectory === undefined) {
    await copyFile(part, path.join(request.staging, request.program.file));
    return [request.program.file];
  }
  const files: string[] = [];
  for await (const { name, content } of tarEntries(part)) {
    const file = path.posix.basename(name);
    if (path.posix.dirname(name) !== archiveDirectory || !request.siblings.includes(file)) continue;
    await writeFile(path.join(request.staging, file), content);
    files.push(file);
  }
  return files;
}
