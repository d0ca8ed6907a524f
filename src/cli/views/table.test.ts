import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { columns } from '../../render/text/tables.ts';
import { table, wrapped } from './table.ts';

const header = ['CLUSTER', 'STRATEGY', 'ENDPOINT', 'NODES', 'READY'];
const reason = 'no: the konnectivity agent has not connected to the gateway yet, which it tries every second';

describe('a table', () => {
  it('is complete, one line per row, where there is no terminal', () => {
    const rows = [['tunneling', 'Tunneling', 'https://127.50.0.2:6443', '1/1', reason]];
    assert.equal(table(header, rows, undefined), columns(header, rows));
  });

  it('is the same on a terminal that is wide enough', () => {
    const rows = [['tunneling', 'Tunneling', 'https://127.50.0.2:6443', '1/1', 'yes']];
    assert.equal(table(header, rows, 80), columns(header, rows));
  });

  it('puts a reason that does not fit below its row, and keeps names whole', () => {
    const rows = [
      ['loadbalancer', 'LoadBalancer', 'https://127.50.0.10:30123', '1/1', 'yes'],
      ['tunneling', 'Tunneling', 'https://127.50.0.2:6443', '0/1', reason],
    ];
    assert.equal(
      table(header, rows, 80),
      [
        'CLUSTER        STRATEGY       ENDPOINT                    NODES   READY',
        'loadbalancer   LoadBalancer   https://127.50.0.10:30123   1/1     yes',
        'tunneling      Tunneling      https://127.50.0.2:6443     0/1',
        '    no: the konnectivity agent has not connected to the gateway yet, which it',
        '    tries every second',
        '',
      ].join('\n'),
    );
  });

  it('wraps sentences beside their row where there is room', () => {
    assert.equal(
      table(['NAME', 'WHY'], [['etcd', 'its disk is full, and it cannot write']], 35),
      ['NAME   WHY', 'etcd   its disk is full, and it', '       cannot write', ''].join('\n'),
    );
  });

  it('becomes one line per cell where words would be broken', () => {
    const names = ['billing', 'billing.example.com', 'konnectivity-server.billing.example.com:443'];
    const record = [
      'CLUSTER        billing',
      'API SERVER     billing.example.',
      '               com',
      'KONNECTIVITY   konnectivity-',
      '               server.billing.',
      '               example.com:443',
      '',
    ].join('\n');
    assert.equal(table(['CLUSTER', 'API SERVER', 'KONNECTIVITY'], [names, names], 31), `${record}\n${record}`);
  });

  it('fits the terminal, whatever is in it, and loses nothing', () => {
    const cell = fc.string({ maxLength: 120, unit: fc.constantFrom(...'abcxyz0189  ,/:.-') });
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 8 })
          .chain((n) => fc.array(fc.array(cell, { minLength: n, maxLength: n }), { minLength: 1 })),
        fc.integer({ min: 50, max: 200 }),
        (rows, width) => {
          const head = (rows[0] ?? []).map((_, at) => `COLUMN${at}`);
          const text = table(head, rows, width);
          for (const line of text.split('\n')) assert.ok(line.length <= width, line);
          const letters = (of: string): string => [...of.replaceAll(/COLUMN\d|\s/g, '')].sort().join('');
          assert.equal(letters(text), letters(columns(head, rows)));
        },
      ),
    );
  });
});

it('breaks between words, else after punctuation, else anywhere', () => {
  assert.deepEqual(wrapped('one two three', 8), ['one two', 'three']);
  assert.deepEqual(wrapped('datacenter/west/workers', 16), ['datacenter/west/', 'workers']);
  assert.deepEqual(wrapped('abcdefgh', 3), ['abc', 'def', 'gh']);
});
