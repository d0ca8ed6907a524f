import { existsSync } from 'node:fs';

export interface TestArguments {
  /** Leave out what needs foreign programs. @default false */
  quick?: boolean;
  /** Rewrite golden files and generated documents instead of comparing with them. @default false */
  update?: boolean;
  /** Let laws and endurance tests run long. @default false */
  soak?: boolean;
  /** Only the test files whose path contains this; types and lint are then left out. */
  only?: string;
}

const runner = new URL('../../../test/runner/run.ts', import.meta.url);

/** Runs the project's own tests, and returns the exit code. */
export async function runTest(args: TestArguments): Promise<number> {
  if (!existsSync(runner)) {
    process.stderr.write('causeway: the tests are not here, this is an installation: run this in a checkout.\n');
    return 1;
  }
  const { runStages } = await import('../../../test/runner/run.ts');
  return runStages(args);
}
