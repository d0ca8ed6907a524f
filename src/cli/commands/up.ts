// A whole platform in the foreground of a terminal, or in the background of nothing.
import { platformToStart } from '../up/choose-directory.ts';
import { type PageFlags, pagePlace } from '../up/page-flags.ts';

export interface UpOptions extends PageFlags {
  readonly clusters?: string;
  readonly workers?: 'demo' | 'real' | 'none';
  readonly secretsDir?: string;
  readonly secretEnv?: readonly string[];
  readonly detach?: boolean;
  readonly wait: string;
}

export async function runUp(dir: string | undefined, options: UpOptions): Promise<number> {
  const place = pagePlace(options);
  if (options.workers === 'real') (await import('../../runtime/local/workers/real/machine.ts')).needTools();
  const directory = await platformToStart(dir);
  // Whoever only looks how another process starts does not load what that one needs.
  if (options.detach) return (await import('../up/detach.ts')).detach(directory, options);
  return (await import('../up/run-platform.ts')).runPlatform(directory, place, options);
}
