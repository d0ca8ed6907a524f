import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Platform, PlatformEvent, PlatformView } from '../../up/view.ts';
import { progressView } from './progress-view.ts';

test('what strangers send neither moves the cursor nor pretends to be a line', (t) => {
  let tell: (event: PlatformEvent) => void = () => {};
  const view = { phase: 'running', clusters: [], programs: [] } as unknown as PlatformView;
  const onEvent: Platform['onEvent'] = (listener) => {
    tell = listener;
    return () => {};
  };
  let said = '';
  const output = { write: (text: string) => (said += text) };
  const shown = progressView({ onEvent, view: () => view } as Platform, output);
  t.after(() => shown.close());
  const message = 'somebody: POST /api/\u001b[2J\n00:00:00 all is well → 404';
  tell({ id: 1, at: 0, kind: 'access', level: 'warn', subject: 'access/somebody', message });
  assert.match(said, /^\d\d:\d\d:\d\d warn: somebody: POST \/api\/\\u001b\[2J\\u000a00:00:00 all is well → 404\n$/);
});
