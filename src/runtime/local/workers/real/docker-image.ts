// An image with one static program in it, in the form that `docker save` writes and containerd imports: no registry needed.
import { hash } from 'node:crypto';
import { arch } from 'node:os';

export interface ImageOptions {
  /** In full, as in docker.io/local/app:1. */
  readonly name: string;
  /** A program that needs no library. */
  readonly program: Buffer;
  readonly arguments?: readonly string[];
}

/** The image as one tar file. */
export function dockerImage({ name, program, arguments: args = [] }: ImageOptions): Buffer {
  const layer = tar([{ name: 'program', content: program, mode: 0o755 }]);
  const config = {
    architecture: arch() === 'x64' ? 'amd64' : arch(),
    os: 'linux',
    config: { Entrypoint: ['/program', ...args], WorkingDir: '/' },
    rootfs: { type: 'layers', diff_ids: [`sha256:${hash('sha256', layer)}`] },
  };
  const manifest = [{ Config: 'config.json', RepoTags: [name], Layers: ['layer.tar'] }];
  return tar([
    { name: 'config.json', content: json(config), mode: 0o644 },
    { name: 'layer.tar', content: layer, mode: 0o644 },
    { name: 'manifest.json', content: json(manifest), mode: 0o644 },
  ]);
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

interface Entry {
  /** Up to 100 letters. */
  readonly name: string;
  readonly content: Buffer;
  readonly mode: number;
}

const block = 512;

const tar = (entries: readonly Entry[]): Buffer =>
  Buffer.concat([
    ...entries.flatMap((entry) => [header(entry), entry.content, Buffer.alloc(-entry.content.length & (block - 1))]),
    Buffer.alloc(2 * block),
  ]);

/** POSIX ustar; owner root, time zero: the same program makes the same image. */
function header({ name, content, mode }: Entry): Buffer {
  const buffer = Buffer.alloc(block);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  buffer.write(name, 0);
  buffer.write(octal(mode, 7), 100);
  buffer.write(octal(0, 7), 108);
  buffer.write(octal(0, 7), 116);
  buffer.write(octal(content.length, 11), 124);
  buffer.write(octal(0, 11), 136);
  buffer.write('0', 156);
  buffer.write('ustar\x0000', 257, 'latin1');
  // The sum counts its own place as blanks.
  buffer.fill(' ', 148, 156);
  const sum = buffer.reduce((total, byte) => total + byte, 0);
  buffer.write(`${octal(sum, 6)} `, 148);
  return buffer;
}
