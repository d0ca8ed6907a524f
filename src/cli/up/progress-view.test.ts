import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Platform, PlatformEvent, PlatformView } from '../../platform/index.ts';
import { progressView } from './progress-view.ts';

test('a terminal that does not know its width shows whole lines', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const clusters = Array.from({ length: 4 }, (_, number) => ({ name: `c${number}`, ready: true }));
  const view = { phase: 'starting', clusters, programs: [] } as unknown as PlatformView;
  for (const columns of [0, undefined]) {
    let said = '';
    const output = { isTTY: true, columns, write: (text: string) => (said += text) };
    const shown = progressView({ onEvent: () => () => {}, view: () => view } as unknown as Platform, output, {});
    t.mock.timers.tick(1000);
    assert.equal(said, '4 of 4 clusters are ready\n');
    shown.close();
  }
});

test('text of clients neither moves the cursor nor imitates a line of the log', (t) => {
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
