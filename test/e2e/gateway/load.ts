// Load that notices everything: connections that are held and talk, and newcomers that keep coming.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Conversation } from '../../support/gateway/conversation.ts';

export type Open = () => Promise<Conversation>;

export interface Held {
  readonly conversation: Conversation;
  /** Its last words came back. */
  isAlive(): boolean;
}

export interface Crowd {
  readonly held: readonly Held[];
  alive(): readonly Held[];
  stop(): void;
}

/** Opens so many, and lets each say something again and again and wait for its echo. */
export async function crowd(count: number, open: Open, pauseMs = 100): Promise<Crowd> {
  const held: (Held & { talk: Promise<void> })[] = [];
  let stopped = false;
  for (let number = 0; number < count; number++) {
    const conversation = await open();
    await conversation.line();
    let alive = true;
    const talk = (async () => {
      for (let word = 0; !stopped && alive; word++) {
        const said = `word ${word}`;
        alive = (await conversation.echo(said).catch(() => '')) === said;
        await sleep(pauseMs);
      }
    })();
    held.push({ conversation, isAlive: () => alive && !conversation.isOver, talk });
  }
  return {
    held,
    alive: () => held.filter((each) => each.isAlive()),
    stop: () => {
      stopped = true;
      for (const { conversation } of held) conversation.close();
    },
  };
}

export interface Attempt {
  readonly at: number;
  readonly took: number;
  readonly failure?: string;
}

export interface Newcomers {
  attempts(): readonly Attempt[];
  /** Failed ones that began at or after this moment. */
  failuresSince(at: number): readonly Attempt[];
  stop(): Promise<void>;
}

/** New connections one after the other, each greeted by its backend. */
export function newcomers(open: Open, pauseMs = 20): Newcomers {
  const attempts: Attempt[] = [];
  let stopped = false;
  const coming = (async () => {
    while (!stopped) {
      const at = Date.now();
      const failure = await attempt(open);
      attempts.push({ at, took: Date.now() - at, ...(failure === undefined ? {} : { failure }) });
      await sleep(pauseMs);
    }
  })();
  return {
    attempts: () => attempts,
    failuresSince: (at) => attempts.filter((each) => each.at >= at && each.failure !== undefined),
    stop: () => {
      stopped = true;
      return coming;
    },
  };
}

async function attempt(open: Open): Promise<string | undefined> {
  try {
    const conversation = await open();
    const line = await conversation.line();
    conversation.close();
    return line === '' ? 'it ended without a greeting' : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
