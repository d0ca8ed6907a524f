// The smallest program there can be: it sleeps until it is killed. Every pod has one, which holds the pod's network; making
// it here saves fetching an image from a registry that the firewall may not let us reach.
import { arch } from 'node:os';
import { CausewayError } from '../../../../core/errors.ts';

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
