import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DialError } from '../net/proxy-dial/index.ts';
import { type GatewayState, type TransportState, TunnelRefused } from '../net/tunnel/index.ts';
import type { Level, Log, LogFields } from '../sys/log.ts';
import { createReport, oncePerReason } from './report.ts';

interface Line {
  readonly level: Level;
  readonly message: string;
  readonly fields: LogFields | undefined;
}
const recorded = (): { log: Log; lines: Line[] } => {
  const lines: Line[] = [];
  const write = (level: Level) => (message: string, fields?: LogFields) => void lines.push({ level, message, fields });
  return { lines, log: { info: write('info'), warn: write('warn'), error: write('error') } };
};

const address = { host: 'gateway.example', port: 443 };
const stateWith = (part: Partial<GatewayState>): TransportState => {
  const gateway = { address, healthy: false, protocol: undefined, connections: 0, carried: 0, ...part };
  return { ready: gateway.healthy, waiting: 0, gateways: [gateway] };
};

test('says once per change whether a gateway is connected, and why not, with code and fix', () => {
  const { log, lines } = recorded();
  const refused = new DialError('ask-proxy', { code: 'CW-PROXY-DENIED', message: 'no', fix: 'ask for it' }, 1);
  const failureOf = (_: object, message: string): Error | undefined => (message === 'no' ? refused : undefined);
  const report = createReport(log, { failureOf });
  const down = stateWith({ problem: 'no' });
  const up = stateWith({ healthy: true, protocol: 'trunk' });
  for (const state of [stateWith({}), down, down, up, up, down, stateWith({ problem: 'else' })]) report.look(state);
  assert.deepEqual(
    lines.map(({ level, message }) => [level, message]),
    [
      ['warn', 'not connected to gateway gateway.example:443: no'],
      ['info', 'connected to gateway gateway.example:443'],
      ['warn', 'not connected to gateway gateway.example:443: no'],
      ['error', 'no gateway answers: connections wait for five seconds and are then reset'],
      ['warn', 'not connected to gateway gateway.example:443: else'],
    ],
  );
  assert.deepEqual(lines[0]?.fields, { code: 'CW-PROXY-DENIED', fix: 'ask for it' });
  assert.deepEqual(lines[4]?.fields, {});
});

test('says when a gateway answers but does not take the credentials', () => {
  const { log, lines } = recorded();
  createReport(log, { failureOf: () => undefined }).look(stateWith({ healthy: true, problem: 'expired' }));
  assert.match(lines[0]?.message ?? '', /answers, but there is a problem: expired/);
});

test('says each reason once in an interval, and then how often it came', () => {
  const { log, lines } = recorded();
  let now = 0;
  const failed = oncePerReason(log, { everyMs: 100, now: () => now });
  for (let i = 0; i < 5; i++) failed('expired-token', new TunnelRefused('expired-token', 'It is over.'));
  failed('no-gateway', undefined);
  failed('reset', new Error('the program went away'));
  now = 100;
  failed('expired-token', undefined);
  assert.deepEqual(
    lines.map(({ fields }) => [fields?.reason, fields?.alsoSince]),
    [
      ['expired-token', undefined],
      ['no-gateway', undefined],
      ['expired-token', 4],
    ],
  );
});
