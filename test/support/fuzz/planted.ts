// Defects to be found: one byte after the other must be right, and one input that has no end.

export function behindFive(input: Buffer): void {
  if (input[0] === 0x9c) {
    if (input[1] === 0x03) {
      if (input[2] === 0xe1) {
        if (input[3] === 0x77) {
          if (input[4] === 0x40) throw new Error('found it');
        }
      }
    }
  }
}

export function behindAWord(input: Buffer): void {
  if (input.toString('latin1').includes('a word of the source')) throw new Error('found it');
}

export function withoutEnd(input: Buffer): void {
  while (input[0] === 0x61);
}
