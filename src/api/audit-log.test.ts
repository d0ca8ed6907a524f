// The audit log: what is in it stays, and whoever changes it is found out.
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type AuditEvent, openAuditLog, readAudit, verifyAudit } from './audit-log.ts';
import { requestHeader } from './guard/requests.ts';
import { bearer, linkToken, sampleApi } from './testing/sample-api.ts';

function scratch(t: TestContext): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-audit-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return path.join(directory, 'audit');
}
const event = (what: string): AuditEvent => ({ who: 'ann', via: 'api', what, status: 200 });
const fileOf = (directory: string): string => path.join(directory, 'audit.log');

function written(directory: string, count: number, options = {}): void {
  const log = openAuditLog(directory, options);
  for (let i = 1; i <= count; i++) log.write(event(`DELETE /api/v1/things/${i}`));
  log.close();
}

describe('an audit log', () => {
  it('goes on where it was, over restarts and rotation, in files for its owner only', (t) => {
    const directory = scratch(t);
    for (let i = 0; i < 3; i++) written(directory, 10, { mostBytes: 2000 });
    const { problems, entries, first, last } = verifyAudit(directory);
    assert.deepEqual({ problems, entries, first, last }, { problems: [], entries: 30, first: 1, last: 30 });
    assert.ok(readdirSync(directory).length >= 3);
    for (const name of readdirSync(directory)) assert.equal(statSync(path.join(directory, name)).mode & 0o077, 0);
  });

  it('drops only the oldest files, and says where it begins', (t) => {
    const directory = scratch(t);
    written(directory, 60, { mostBytes: 1000, mostFiles: 3 });
    const { problems, first, last } = verifyAudit(directory);
    assert.deepEqual([problems, last], [[], 60]);
    assert.ok(first > 1);
    assert.equal(readdirSync(directory).length, 3);
  });

  it('shows an entry that was changed, dropped, added or moved', (t) => {
    const edits: Readonly<Record<string, (lines: string[]) => string[]>> = {
      changed: (lines) => lines.map((line, at) => (at === 3 ? line.replace('"ann"', '"bob"') : line)),
      dropped: (lines) => lines.filter((_, at) => at !== 4),
      added: (lines) => lines.toSpliced(4, 0, lines[3] ?? ''),
      moved: (lines) => lines.toSpliced(2, 2, lines[3] ?? '', lines[2] ?? ''),
      garbled: (lines) => lines.map((line, at) => (at === 5 ? line.slice(9) : line)),
    };
    for (const [name, edit] of Object.entries(edits)) {
      const directory = scratch(t);
      written(directory, 10);
      assert.deepEqual(verifyAudit(directory).problems, []);
      const lines = readFileSync(fileOf(directory), 'utf8').split('\n');
      writeFileSync(fileOf(directory), edit(lines).join('\n'));
      assert.notDeepEqual(verifyAudit(directory).problems, [], name);
    }
  });

  it('survives a crash in the middle of a line, and says so', (t) => {
    const directory = scratch(t);
    written(directory, 3);
    appendFileSync(fileOf(directory), '{"seq":4,"at":"20');
    written(directory, 2);
    assert.deepEqual(verifyAudit(directory).problems, []);
    assert.deepEqual(
      readAudit(directory).map(({ seq, via }) => [seq, via]),
      [
        [1, 'api'],
        [2, 'api'],
        [3, 'api'],
        [4, 'log'],
        [5, 'api'],
        [6, 'api'],
      ],
    );
  });
});

describe('what the API writes down', () => {
  const remove = { method: 'DELETE', headers: { [requestHeader]: '1' } };

  it('is not pushed out by 20 400 sign-outs of a viewer', async (t) => {
    const { ask, directory, sleep } = await sampleApi(t);
    await ask('admin', '/api/v1/clusters/tunneling/kubeconfig?role=admin');
    for (let i = 0; i < 20_400; i++) {
      sleep(1000);
      await ask('viewer', '/api/v1/session', remove);
    }
    const audit = path.join(directory, '.causeway/audit');
    const [first] = readAudit(audit);
    assert.deepEqual([first?.who, first?.what], ['admin', 'GET /api/v1/clusters/tunneling/kubeconfig']);
    assert.match(first?.issued ?? '', /^k/);
    const { problems, entries } = verifyAudit(audit);
    assert.deepEqual([problems, entries], [[], 20_401]);
  });

  it('is limited by account, and the limit leaves a trace', async (t) => {
    const { ask, directory } = await sampleApi(t);
    const env = (at: number) => ({ incoming: { socket: { remoteAddress: `10.0.${at >> 6}.${at & 63}` } } });
    let refused = 0;
    for (let i = 0; i < 1000; i++)
      if ((await ask('viewer', '/api/v1/session', remove, env(i))).status === 429) refused++;
    assert.ok(refused > 650, `${refused}`);
    const entries = readAudit(path.join(directory, '.causeway/audit'));
    assert.ok(entries.length < 350);
    assert.equal(entries.filter(({ status }) => status === 429).length, 1);
    assert.equal((await ask('admin', '/api/v1/session', remove)).status, 204);
  });

  it('names the person, the credential, the address and the way, and no secret', async (t) => {
    const { api, ask, directory } = await sampleApi(t, { auth: { links: true } });
    const link = linkToken(api);
    const signIn = {
      method: 'POST',
      body: JSON.stringify({ token: link }),
      headers: { 'content-type': 'application/json', [requestHeader]: '1' },
    };
    await ask(undefined, '/api/v1/session', signIn);
    const body = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', ...bearer('operator') } };
    const made = await ask(undefined, '/api/v1/tokens', body);
    const { token } = (await made.json()) as { token: string };
    const env = { incoming: { socket: { remoteAddress: '10.0.0.7' } } };
    await ask(
      undefined,
      '/api/v1/clusters/tunneling/kubeconfig',
      { headers: { authorization: `Bearer ${token}` } },
      env,
    );
    await ask(undefined, '/api/v1/clusters/tunneling/kubeconfig?role=admin', {}, { trusted: true });
    const audit = path.join(directory, '.causeway/audit');
    const entries = readAudit(audit);
    assert.deepEqual(
      entries.map(({ who, via, from }) => [who, via, from]),
      [
        ['owner', 'api', undefined],
        ['operator', 'api', undefined],
        ['token of operator', 'api', '10.0.0.7'],
        ['owner', 'control', undefined],
      ],
    );
    assert.match(entries[2]?.credential ?? '', /^[0-9a-f]{12}$/);
    const text = readFileSync(fileOf(audit), 'utf8');
    assert.ok(!text.includes(token) && !text.includes(link.slice(7)));
  });
});
