// How the platform was started, for the commands that its page shows. The page is built once and for everybody; only its
// server knows.
import { commandsAs } from '../../core/command-text.ts';

export interface Started {
  /** What is typed to start Causeway, in any directory. */
  readonly command: string;
  /** Of the platform, as a word of a shell; empty where commands find it by themselves. */
  readonly directory: string;
}

/** For readers on other machines: their directories are others. */
export const startedElsewhere: Started = { command: 'causeway', directory: '' };

/** A page with its commands as its readers type them, and with what it needs to show more of them. */
export function pageFor(html: string, { command, directory }: Started): string {
  const named = html
    .replace(tag('command', 'causeway'), () => tag('command', escapeHtml(command)))
    .replace(tag('directory', ''), () => tag('directory', escapeHtml(directory)));
  return commandsAs(named, escapeHtml(command));
}

const tag = (name: string, content: string): string => `<meta name="causeway-${name}" content="${content}"`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
