// The page for people who are not at the machine: `causeway up --api-address`, with TLS and a login, or not at all.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { hash, X509Certificate } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { hashSync } from 'bcryptjs';
import { createAuthority, type Issued, issueServer, validFor } from '../../../src/pki/index.ts';
import { startBrowser } from '../../support/browser.ts';
import { type Running, run } from '../../support/child-process.ts';
import { causeway, commandLine } from '../../support/cli.ts';
import { createUndoList } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { localPlatform } from '../../support/local-platform.ts';
import { needProgram } from '../../support/programs.ts';

const undo = createUndoList();
after(() => undo.run());

const name = 'page.example.com';
const users = ['vera', 'otto', 'ada'] as const;
const passwordOf = (who: string): string => `${who}'s own`;
const validity = validFor(new Date(), 1);
const authority = await createAuthority('authority of this test', validity);

const local = localPlatform();
undo.after(() => local.remove());
for (const file of readdirSync(local.at('clusters'))) rmSync(local.at('clusters', file));
writeFileSync(local.at('ca.crt'), authority.certificate);
const tls = { cert: local.at('page.crt'), key: local.at('page.key') };
const flags = ['up', local.directory, '--api-address', '0.0.0.0', '--port', '0'];
const tlsFlags = ['--tls-cert', tls.cert, '--tls-key', tls.key];
const keys = path.join(local.directory, '..', `keys-of-${path.basename(local.directory)}`);
undo.after(() => rmSync(keys, { recursive: true, force: true }));
const secretsFlags = ['--secrets-dir', keys];
const hashFile = (who: string): string => path.join(keys, `${who}.bcrypt`);

/** A new certificate and key in the files of the page. */
async function renew(): Promise<Issued> {
  const issued = await issueServer(authority, [name], validity);
  writeFileSync(tls.cert, issued.certificate);
  writeFileSync(tls.key, issued.key, { mode: 0o600 });
  return issued;
}

const usersInManifest = (who: readonly string[]): void =>
  local.edit('platform.yaml', (text) =>
    text.replace(/staticUsers:(\s.*)*?(?=\n {2}\S)/, `staticUsers: [${who.map(userText).join(', ')}]`),
  );
const userText = (who: string): string => `{ email: ${who}, hash: { file: ${hashFile(who)} } }`;

const refusal = (...more: string[]): string => {
  const { code, stdout, stderr } = causeway([...flags, ...more]);
  assert.equal(code, 2, stdout + stderr);
  return stderr;
};

test('beyond loopback the page is served with TLS and a login, or not at all', async (t) => {
  const first = await renew();

  await t.test('without TLS it is refused, with what to add', () => {
    assert.match(refusal(), /not served on 0\.0\.0\.0 without TLS.*CW-API-OPEN\]\n {2}fix: add --tls-cert FILE/);
  });

  await t.test('without anybody who could log in it is refused', () => {
    usersInManifest([]);
    assert.match(refusal(...tlsFlags), /without a login.*CW-API-OPEN\]\n {2}fix: add spec\.authentication/);
  });

  await t.test('a hash that is not below the directory of secrets is refused, with both ways out', () => {
    usersInManifest(users);
    assert.match(
      refusal(...tlsFlags),
      /vera\.bcrypt is not below .*\/secrets, .*CW-SECRET-PLACE\]\n {2}fix: move it there .* "causeway up --secrets-dir DIR"/,
    );
  });

  await t.test('a hash that is missing is told with the command that makes one', () => {
    assert.match(
      refusal(...tlsFlags, ...secretsFlags),
      /hash of vera's password is not in .*vera\.bcrypt.*\n {2}fix: .*causeway password-hash > /,
    );
  });

  const [vera = '', ...others] = users;
  const { stdout: hashed } = causeway(['password-hash'], { input: `${passwordOf(vera)}\n` });
  mkdirSync(keys, 0o700);
  writeFileSync(hashFile(vera), hashed);
  for (const who of others) writeFileSync(hashFile(who), hashSync(passwordOf(who), 4));
  const roles = ['--role', 'operator=otto', '--role', 'admin=ada'];
  const up = run(undo, {
    program: process.execPath,
    args: [commandLine, ...flags, ...tlsFlags, ...secretsFlags, ...roles],
  });
  const port = await portOf(up);

  await t.test('its address is the name in the certificate, without a token that lets somebody in', () => {
    const { stdout } = causeway(['status', local.directory]);
    assert.match(stdout, new RegExp(`^page: https://${name}:${port}$`, 'm'));
    assert.doesNotMatch(up.said() + stdout, /token|lets one browser in/);
  });

  await t.test('with curl each role may do its part', async (t) => {
    const program = needProgram(t, 'curl');
    if (program === undefined) return;
    const curl = curlTo(program, port);
    assert.equal((await curl('GET', '/api/v1/status')).status, 401);
    const may: Record<string, unknown> = {};
    for (const who of users) {
      assert.equal((await curl('POST', '/api/v1/session', { user: who, password: passwordOf(who) }, who)).status, 200);
      const { status: read } = await curl('GET', '/api/v1/status', undefined, who);
      const { status: write } = await curl('PUT', `/api/v1/resources/Datacenter/of-${who}`, datacenter(who), who);
      const { status: remove } = await curl('DELETE', '/api/v1/resources/Datacenter/of-otto', undefined, who);
      may[who] = { read, write, remove };
    }
    assert.deepEqual(may, {
      vera: { read: 200, write: 403, remove: 403 },
      otto: { read: 200, write: 201, remove: 403 },
      ada: { read: 200, write: 201, remove: 204 },
    });
  });

  await t.test('a browser logs in over https', async (t) => {
    const spki = hash(
      'sha256',
      new X509Certificate(first.certificate).publicKey.export({ type: 'spki', format: 'der' }),
      'base64',
    );
    const browser = await startBrowser(t, [
      `--ignore-certificate-errors-spki-list=${spki}`,
      `--host-resolver-rules=MAP ${name} 127.0.0.1`,
    ]);
    if (browser === undefined) return;
    const { page } = await browser.open(t, `https://${name}:${port}/clusters`);
    await page.getByLabel('User', { exact: true }).fill('ada');
    await page.getByLabel('Password', { exact: true }).fill(passwordOf('ada'));
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('link', { name: /new cluster/i }).waitFor();
    const [cookie] = await page.context().cookies();
    assert.match(cookie?.name ?? '', /^__Host-causeway-session-/);
    assert.equal(cookie?.secure && cookie.httpOnly, true);
  });

  await t.test('a renewed certificate is used without a new start', async () => {
    assert.equal(await servedCertificate(port), serial(first));
    const second = await renew();
    await until(async () => (await servedCertificate(port)) === serial(second), 30_000);
  });
});

async function portOf(up: Running): Promise<number> {
  const printed = (): string | undefined => /page: https:\/\/page\.example\.com:(\d+)/.exec(up.said())?.[1];
  await until(() => printed() !== undefined || up.hasEnded(), 60_000);
  assert.equal(up.hasEnded(), false, up.said());
  return Number(printed());
}

const serial = ({ certificate }: Issued): string => new X509Certificate(certificate).serialNumber;

function servedCertificate(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', servername: name, ca: authority.certificate }, () => {
      resolve(socket.getPeerX509Certificate()?.serialNumber ?? '');
      socket.destroy();
    }).on('error', reject);
  });
}

type Curl = (method: string, path: string, body?: unknown, who?: string) => Promise<{ status: number; body: string }>;

/** As a script would: the name leads here, the authority is known, each person has a file of cookies. */
function curlTo(program: string, port: number): Curl {
  return async (method, path, body, who) => {
    const jar = who === undefined ? [] : ['-b', local.at(`${who}.cookies`), '-c', local.at(`${who}.cookies`)];
    const any = method === 'DELETE' ? ['-H', 'if-match: *'] : [];
    const json = body === undefined ? [] : ['-H', 'content-type: application/json', '-d', JSON.stringify(body)];
    const { stdout } = await promisify(execFile)(program, [
      ...['-sS', '--noproxy', '*', '--resolve', `${name}:${port}:127.0.0.1`, '--cacert', local.at('ca.crt')],
      ...['-X', method, '-H', 'x-causeway-request: 1', '-w', '\n%{http_code}', ...jar, ...any, ...json],
      `https://${name}:${port}${path}`,
    ]);
    const end = stdout.lastIndexOf('\n');
    return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) };
  };
}

const datacenter = (who: string) => ({
  apiVersion: 'causeway.dev/v1alpha1',
  kind: 'Datacenter',
  metadata: { name: `of-${who}` },
  spec: { seed: 'local', provider: { bare: {} }, nodes: { networks: [`${local.network}.9${who.length}.0/24`] } },
});
