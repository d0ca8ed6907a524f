import { CausewayError } from '../core/errors.ts';

export interface Question {
  /** What is about to happen, in whole sentences. */
  readonly about: string;
  /** The same as a question, for where nobody can be asked: "whether …". */
  readonly whether: string;
  /** What is said when it is not confirmed: "nothing was deleted". */
  readonly cancelled: string;
}

/** Of what cannot be taken back: whoever means it writes the name. */
export async function confirmByName(name: string, { about, whether, cancelled }: Question): Promise<void> {
  if (!process.stdin.isTTY)
    throw new CausewayError('CW-CLI-YES', `nobody is there to be asked ${whether}`, 'add --yes if it is meant');
  const { text } = await import('@clack/prompts');
  const answer = await text({ message: `${about} Write its name to go on.` });
  if (answer !== name)
    throw new CausewayError('CW-CLI-CANCELLED', cancelled, 'run the command again, and write the name');
}
