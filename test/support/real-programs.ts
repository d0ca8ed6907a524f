import type { TestContext } from 'node:test';
import { needPrograms, progressTo, type Wanted } from '../../src/programs/index.ts';

/**
 * Paths of real programs (kube-apiserver, etcd, envoy …); undefined, with the test marked as skipped, where they cannot
 * be had. Under CI that fails the test, because nobody reads what CI skipped. `causeway test` gets what is named here
 * beforehand; a test file that is run alone fetches or builds it now, and waits where another one does so already.
 *
 * @example const real = await needReal(t, 'etcd', 'kubectl@1.36.1'); if (!real) return; spawn(real.etcd, …);
 */
export async function needReal<const Name extends Wanted>(
  t: TestContext,
  ...names: Name[]
): Promise<Record<Name, string> | undefined> {
  try {
    return await needPrograms(names, { progress: progressTo(process.stderr) });
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    t.skip((error as Error).message);
    return undefined;
  }
}
