// What is written down about manifests that cannot be applied: once for each edit, and once when it is mended.

import type { Reading } from '../../manifests/index.ts';
import type { Finding } from '../../model/index.ts';
import type { PlatformEvent } from '../view.ts';

type NewEvent = Omit<PlatformEvent, 'id' | 'at'>;

/** Findings in one line of the log; the page has all of them. */
const most = 5;

export function manifestErrorsEvent({ broken, findings }: Reading, wasBroken: boolean): NewEvent | undefined {
  if (!broken) return wasBroken ? event('info', 'the manifests can be applied again') : undefined;
  const errors = findings.filter(({ severity, waived }) => severity === 'error' && waived === undefined);
  const more = errors.length > most ? [`and ${errors.length - most} more`] : [];
  const what = [...errors.slice(0, most).map(said), ...more].join('; ');
  return event('error', `the manifests have errors, so nothing was changed: ${what}`);
}

const said = ({ code, message, position }: Finding): string =>
  position === undefined ? `${code} ${message}` : `${position.file}:${position.line} ${code} ${message}`;

const event = (level: 'info' | 'error', message: string): NewEvent => ({
  kind: 'finding',
  level,
  subject: 'platform',
  message,
});
