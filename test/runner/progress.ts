import path from 'node:path';
import type { TestEvent } from 'node:test/reporters';

type Summary = Extract<TestEvent, { type: 'test:summary' }>['data'];

// The runner's own totals come as diagnostics as well; ours are printed once, at the very end.
const runnerTotals = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /;

/** What a person wants to see while tests run: files as they end, failures, skipped tests with their reason, figures. */
export function progressLine(event: TestEvent, root: string): string | undefined {
  switch (event.type) {
    case 'test:pass':
      return typeof event.data.skip === 'string' ? `    skipped: ${event.data.name}: ${event.data.skip}` : undefined;
    case 'test:fail':
      return event.data.details.type === 'suite' || event.data.todo ? undefined : `    FAILED: ${event.data.name}`;
    case 'test:diagnostic':
      return runnerTotals.test(event.data.message) ? undefined : `    ${event.data.message}`;
    case 'test:summary':
      return event.data.file && fileLine(path.relative(root, event.data.file), event.data);
    default:
      return undefined;
  }
}

function fileLine(file: string, { counts, success, duration_ms }: Summary): string {
  const tests = counts.tests === 1 ? '1 test' : `${counts.tests} tests`;
  return `  ${success ? '✔' : '✖'} ${file}: ${tests}, ${Math.round(duration_ms)} ms`;
}
