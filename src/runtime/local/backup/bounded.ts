// What somebody else keeps for us, and may have made larger than we left it.
import { text } from 'node:stream/consumers';

export class TooLong extends Error {}

/** For a pipeline. Ends with an error as soon as there are more bytes. */
export const bounded = (most: number) =>
  async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let got = 0;
    for await (const chunk of chunks) {
      got += chunk.length;
      if (got > most) throw new TooLong(`more than ${most} bytes`);
      yield chunk;
    }
  };

/** Metadata and keys have a few kilobytes. */
const mostText = 1024 * 1024;

export const boundedText = (chunks: AsyncIterable<Buffer>): Promise<string> => text(bounded(mostText)(chunks));
