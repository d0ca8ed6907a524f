import { spec, type TestEvent } from 'node:test/reporters';

export interface FailureReport {
  write: (event: TestEvent) => void;
  text: () => Promise<string>;
}

/** Node's own report, without what passed: a failure is easily overlooked among a thousand lines of success. */
export function failureReport(): FailureReport {
  const reporter = new spec();
  const chunks: string[] = [];
  reporter.on('data', (chunk) => chunks.push(String(chunk)));
  const ended = new Promise((resolve) => reporter.once('end', resolve));
  return {
    write: withoutPassed((event) => reporter.write(event)),
    text: async () => {
      reporter.end();
      await ended;
      return chunks.join('');
    },
  };
}

/** Holds back the start of a test until something in it fails: the reporter wants to see every start with its end. */
function withoutPassed(report: (event: TestEvent) => void): (event: TestEvent) => void {
  const started: TestEvent[] = [];
  return (event) => {
    if (event.type === 'test:start') started.push(event);
    else if (event.type === 'test:pass' && started.pop() === undefined) report(event);
    else if (event.type === 'test:fail') [...started.splice(0), event].forEach(report);
    else if (event.type === 'test:stderr' || isClosing(event)) report(event);
  };
}

const isClosing = (event: TestEvent): boolean => event.type === 'test:summary' && event.data.file === undefined;
