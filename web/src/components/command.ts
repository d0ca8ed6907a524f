// Commands as whoever started the platform types them: the server writes that into the page.
import { commandsAs } from '../../../src/core/command-text.ts';

const written = (name: string): string | null | undefined =>
  // Tests of texts run without a page.
  globalThis.document?.querySelector(`meta[name="causeway-${name}"]`)?.getAttribute('content');

/** A text for people with its commands as they would type them. */
export const asTyped = (text: string): string => commandsAs(text, written('command') ?? 'causeway');

/** What a command needs to find this platform in any directory, as in " --dir /srv/platform"; empty for readers elsewhere. */
export function ofPlatform(flag: '--dir' | 'argument'): string {
  const directory = written('directory') ?? '';
  if (directory === '') return '';
  return flag === 'argument' ? ` ${directory}` : ` --dir ${directory}`;
}
