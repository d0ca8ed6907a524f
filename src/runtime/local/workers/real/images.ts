// An image with one static program in it, in the form that `docker save` writes and containerd imports: no registry needed.
import { hash } from 'node:crypto';
import { arch } from 'node:os';
import { CausewayError } from '../../../../core/errors.ts';

interface ImageOptions {
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

// The smallest program there can be: it sleeps until it is killed. Every pod has one, which holds the pod's network; making
// it here saves fetching an image from a registry that the firewall may not let us reach.

/** Sleeps in the kernel for ever; back from there, goes to sleep again. */
const code: Record<string, readonly number[]> = {
  // mov eax, 34 (pause); syscall; jmp back
  x64: [0xb8, 34, 0, 0, 0, 0x0f, 0x05, 0xeb, 0xf7],
  // mov x0..x4, 0; mov x8, 73 (ppoll); svc 0; b back
  arm64: [0xd2800000, 0xd2800001, 0xd2800002, 0xd2800003, 0xd2800004, 0xd2800928, 0xd4000001, 0x17fffff9].flatMap(
    (word) => [word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24],
  ),
};
const machines: Record<string, number> = { x64: 62, arm64: 183 };

const fileHeader = 64;
const programHeader = 56;
const loadedAt = 0x400000n;

/** An ELF file with one segment. */
export function pauseProgram(cpu: string = arch()): Buffer {
  const [instructions, machine] = [code[cpu], machines[cpu]];
  if (instructions === undefined || machine === undefined)
    throw new CausewayError(
      'CW-REAL-CPU',
      `a real worker runs on x64 and arm64, and this is ${cpu}`,
      'use demo workers',
    );
  const start = fileHeader + programHeader;
  const file = Buffer.alloc(start + instructions.length);
  const size = BigInt(file.length);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  file.writeUInt16LE(2, 16); // executable
  file.writeUInt16LE(machine, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(loadedAt + BigInt(start), 24); // first instruction
  file.writeBigUInt64LE(BigInt(fileHeader), 32);
  file.writeUInt16LE(fileHeader, 52);
  file.writeUInt16LE(programHeader, 54);
  file.writeUInt16LE(1, 56); // one segment
  file.writeUInt32LE(1, fileHeader); // to be loaded
  file.writeUInt32LE(5, fileHeader + 4); // readable, executable
  file.writeBigUInt64LE(loadedAt, fileHeader + 16);
  file.writeBigUInt64LE(loadedAt, fileHeader + 24);
  file.writeBigUInt64LE(size, fileHeader + 32);
  file.writeBigUInt64LE(size, fileHeader + 40);
  file.writeBigUInt64LE(0x1000n, fileHeader + 48);
  file.set(instructions, start);
  return file;
}
