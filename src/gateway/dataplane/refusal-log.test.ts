import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LogFields } from '../../sys/log.ts';
import { answerOf, type RefusalCode, refusals } from '../refusals.ts';
import type { RefusedPeer } from './interfaces.ts';
import { RefusalLog } from './refusal-log.ts';

function logging(): { log: RefusalLog; lines: LogFields[] } {
  const lines: LogFields[] = [];
  const warn = (_message: string, fields: LogFields = {}): void => void lines.push(fields);
  return { log: new RefusalLog({ info: warn, warn, error: warn }), lines };
}
const peer = (name: string): RefusedPeer => ({
  listener: { kind: 'sni', address: '127.0.0.1', port: 6443 },
  remote: { address: '192.0.2.7', port: 5000 },
  name,
});

describe('the log of refusals', () => {
  it('names the node whose agent it was, each of them once per interval', () => {
    const { log, lines } = logging();
    const of = (node: string): RefusedPeer => ({ ...peer(''), identity: { cluster: 'shop', node } });
    for (let i = 0; i < 10; i++) for (const node of ['n1', 'n2']) log.note('evicted-node', of(node), i);
    assert.deepEqual(
      lines.map(({ refusal, cluster, node }) => [refusal, cluster, node]),
      ['n1', 'n2'].map((node) => ['evicted-node', 'shop', node]),
    );
  });

  it('tells a reason at once, and then once per interval with a count', () => {
    const { log, lines } = logging();
    for (let i = 0; i < 1000; i++) log.note('unknown-sni', peer('a.test'), i);
    assert.deepEqual(
      lines.map(({ count }) => count),
      [1],
    );
    log.tick(9_000);
    assert.equal(lines.length, 1);
    log.tick(10_000);
    assert.deepEqual(
      lines.map(({ count }) => count),
      [1, 999],
    );
    log.tick(20_000);
    log.note('unknown-sni', peer('a.test'), 20_001);
    assert.deepEqual(
      lines.map(({ count }) => count),
      [1, 999, 1],
      'a quiet reason is new again',
    );
  });

  it('tells different reasons apart', () => {
    const { log, lines } = logging();
    log.note('unknown-sni', peer('a.test'), 0);
    log.note('no-sni', peer(''), 0);
    assert.deepEqual(
      lines.map(({ refusal }) => refusal),
      ['unknown-sni', 'no-sni'],
    );
  });

  it('shows what clients sent without its control characters, and not all of it', () => {
    const { log, lines } = logging();
    log.note('unknown-sni', peer(`evil\n\u001b[2J${'x'.repeat(10_000)}`), 0);
    const name = String(lines[0]?.name);
    assert.ok(name.startsWith('evil\\u000a\\u001b[2J'));
    assert.ok(name.length < 150);
  });
});

describe('reasons of refusal', () => {
  it('each have a sentence, a fix and a status of HTTP', () => {
    for (const [code, { sentence, fix, status }] of Object.entries(refusals)) {
      assert.match(sentence, /^[A-Z].*\.$/s, code);
      assert.match(fix, /^[A-Z].*\.$/s, code);
      assert.ok(status >= 400 && status < 600, code);
    }
  });

  it('are answered with a TLS alert wherever one is named', () => {
    for (const code of Object.keys(refusals) as RefusalCode[]) {
      const { alert } = refusals[code];
      if (alert !== undefined) assert.deepEqual([...(answerOf(code) ?? [])], [0x15, 3, 3, 0, 2, 2, alert]);
    }
  });
});
