import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import {
  type ControlPlanePki,
  ensurePki,
  type LeafName,
  type PkiOf,
  writeClusterState,
} from '../../control-plane/index.ts';
import { createFileStore, pkiFiles } from './file-store.ts';
import { localCluster } from './local-cluster.ts';
import { homeIn, type LocalInput, localInput, scratchDirectory } from './testing/place.ts';

const start = Date.parse('2026-06-01T12:00:00Z');
const minute = 60_000;
const year = 365 * 24 * 60 * minute;

const inputOf = (t: TestContext): LocalInput => localInput(homeIn(scratchDirectory(t)));
const ensure = (input: LocalInput, now = start, lifetimeMs = year): Promise<ControlPlanePki & PkiOf<string>> =>
  ensurePki(input, localCluster(input), { now: () => now, lifetimeMs }).then((pki) => ({
    ...pki,
    ...pkiFiles(input.home.pki),
  }));
const certificateOf = (file: string): X509Certificate => new X509Certificate(readFileSync(file));
const everything = (directory: string): Record<string, string> =>
  Object.fromEntries(readdirSync(directory).map((name) => [name, readFileSync(path.join(directory, name), 'utf8')]));

describe('the keys of a control plane', () => {
  it('are only for their owner', async (t) => {
    const input = inputOf(t);
    await ensure(input);
    const open = readdirSync(input.home.pki).filter(
      (name) => (statSync(path.join(input.home.pki, name)).mode & 0o077) !== 0,
    );
    assert.deepEqual([open, statSync(input.home.pki).mode & 0o777], [[], 0o700]);
  });

  it('are the same the next time', async (t) => {
    const input = inputOf(t);
    await ensure(input);
    const before = everything(input.home.pki);
    const { notices } = await ensure(input, start + year / 2);
    assert.deepEqual([everything(input.home.pki), notices], [before, []]);
  });

  it('come from authorities that do not know each other', async (t) => {
    const pki = await ensure(inputOf(t));
    const [ca, etcdCa, frontProxyCa] = [pki.ca, pki.etcdCa, pki.frontProxyCa].map(({ cert }) => certificateOf(cert));
    assert.ok(ca && etcdCa && frontProxyCa);
    const signers: [LeafName, X509Certificate][] = [
      ['apiServer', ca],
      ['konnectivity', ca],
      ['controllerManager', ca],
      ['etcd', etcdCa],
      ['apiServerEtcd', etcdCa],
      ['frontProxyClient', frontProxyCa],
    ];
    for (const [name, authority] of signers) {
      const cert = certificateOf(pki[name].cert);
      const signed: X509Certificate[] = [ca, etcdCa, frontProxyCa].filter((one) => cert.verify(one.publicKey));
      assert.deepEqual(signed, [authority], name);
      assert.ok(cert.checkPrivateKey(createPrivateKey(readFileSync(pki[name].key))), name);
    }
  });

  it('of kubelets come later to a cluster from before, and are never made anew where the API server asks for them', async (t) => {
    const input = inputOf(t);
    const { kubeletCa } = await ensure(input);
    mkdirSync(path.join(input.home.etcd, 'member'), { recursive: true });
    const store = createFileStore(input.home);
    const before = { strategy: 'Tunneling', kubernetesVersion: '1.36.3' } as const;
    await writeClusterState(store, before);
    const made = readFileSync(kubeletCa.cert, 'utf8');
    // Also where a start was killed between the two files.
    rmSync(kubeletCa.cert);
    await ensure(input);
    const again = readFileSync(kubeletCa.cert, 'utf8');
    assert.notEqual(again, made);
    await ensure(input);
    assert.equal(readFileSync(kubeletCa.cert, 'utf8'), again);
    await writeClusterState(store, { ...before, verifiesKubelets: true });
    rmSync(kubeletCa.cert);
    await assert.rejects(ensure(input), { code: 'CW-PKI-PAIR' });
    rmSync(kubeletCa.key);
    await assert.rejects(ensure(input), { code: 'CW-PKI-LOST', message: /kubelet-ca\.key/ });
  });

  it('are refused when others may read them', async (t) => {
    const input = inputOf(t);
    const { ca } = await ensure(input);
    chmodSync(ca.key, 0o644);
    await assert.rejects(ensure(input), { code: 'CW-KEYS-OPEN', message: /mode 644/, fix: /^chmod 600/ });
    chmodSync(ca.key, 0o600);
    chmodSync(input.home.pki, 0o755);
    await assert.rejects(ensure(input), { code: 'CW-KEYS-OPEN', fix: /^chmod 700/ });
  });

  it('say what to do where the directory cannot be made', async (t) => {
    const input = inputOf(t);
    const blocked = { ...input, home: { ...input.home, pki: '/proc/nowhere/pki' } };
    await assert.rejects(ensure(blocked), { code: 'CW-WRITE', fix: /own the directory/ });
  });
});

describe('the certificate of the API server', () => {
  it('has the names of the plan, and this machine', async (t) => {
    const pki = await ensure(inputOf(t));
    const cert = certificateOf(pki.apiServer.cert);
    for (const name of ['web.west.example.com', 'kubernetes.default.svc', 'localhost']) assert.ok(cert.checkHost(name));
    for (const ip of ['10.240.16.1', '127.0.0.1', '100.64.30.10']) assert.ok(cert.checkIP(ip));
  });

  it('is made anew for the same key when its names change, and nothing else is', async (t) => {
    const input = inputOf(t);
    const pki = await ensure(input);
    const before = everything(input.home.pki);
    const certificates = {
      ...input.certificates,
      apiServer: { ...input.certificates.apiServer, dnsNames: ['other.west.example.com'] },
    };
    const { notices } = await ensure({ ...input, certificates });
    const after = everything(input.home.pki);
    assert.deepEqual(
      Object.keys(after).filter((name) => after[name] !== before[name]),
      ['api-server.crt'],
    );
    assert.ok(certificateOf(pki.apiServer.cert).checkHost('other.west.example.com'));
    assert.equal(certificateOf(pki.apiServer.cert).checkHost('web.west.example.com'), undefined);
    assert.deepEqual(
      notices.map(({ message }) => message),
      ['certificate apiServer made anew: its names have changed'],
    );
  });
});

describe('renewal', () => {
  it('happens two thirds into the life, and says so', async (t) => {
    const input = inputOf(t);
    const life = 120 * minute;
    const first = await ensure(input, start, life);
    assert.equal(first.renewAt, start + 80 * minute);
    const early = await ensure(input, first.renewAt - 1000, life);
    assert.deepEqual(early.marks, first.marks);
    const due = await ensure(input, first.renewAt, life);
    assert.equal(due.renewAt, first.renewAt + 80 * minute);
    assert.equal(due.notices.length, Object.keys(first.marks).length);
    assert.match(due.notices[0]?.message ?? '', /^certificate \w+ made anew: it was due$/);
    for (const [name, mark] of Object.entries(first.marks)) assert.notEqual(due.marks[name as LeafName], mark);
  });

  it('leaves clients that look at their files every five minutes time to see the new one', async (t) => {
    const input = inputOf(t);
    const { controllerManager, apiServer } = await ensure(input, start, 2 * minute);
    assert.equal(certificateOf(apiServer.cert).validToDate.getTime(), start + 2 * minute);
    assert.equal(certificateOf(controllerManager.cert).validToDate.getTime(), start + 30 * minute);
  });

  it('replaces what cannot be read or does not fit', async (t) => {
    const input = inputOf(t);
    const pki = await ensure(input);
    rmSync(pki.scheduler.key);
    rmSync(pki.etcd.cert);
    await ensure(input);
    for (const { cert, key } of [pki.scheduler, pki.etcd]) {
      assert.ok(certificateOf(cert).checkPrivateKey(createPrivateKey(readFileSync(key))));
    }
  });
});

describe('an authority', () => {
  it('is never renewed silently: its end is announced a year before, and then refused', async (t) => {
    const input = inputOf(t);
    const { ca } = await ensure(input);
    const before = readFileSync(ca.cert, 'utf8');
    const end = certificateOf(ca.cert).validToDate.getTime();
    const late = await ensure(input, end - 30 * 24 * 60 * minute);
    assert.match(late.notices[0]?.message ?? '', /^the authority ca\.crt ends on 2036-05-29; plan a day/);
    assert.equal(late.renewAt, end);
    assert.deepEqual((await ensure(input, end - 29 * 24 * 60 * minute)).marks, late.marks);
    await assert.rejects(ensure(input, end), { code: 'CW-CA-EXPIRED', fix: /check the clock/ });
    assert.equal(readFileSync(ca.cert, 'utf8'), before);
  });

  it('of the future means that the clock is wrong', async (t) => {
    const input = inputOf(t);
    await ensure(input);
    await assert.rejects(ensure(input, start - 26 * 60 * minute), { code: 'CW-CLOCK', fix: /set the clock/ });
  });

  it('with one half missing is not replaced', async (t) => {
    const input = inputOf(t);
    const { ca } = await ensure(input);
    rmSync(ca.key);
    await assert.rejects(ensure(input), { code: 'CW-PKI-PAIR', message: /not ca\.key/, fix: /backup/ });
  });

  it('whose first making was cut short is made again', async (t) => {
    const input = inputOf(t);
    const { ca } = await ensure(input);
    const key = readFileSync(ca.key, 'utf8');
    rmSync(input.home.pki, { recursive: true });
    mkdirSync(input.home.pki, { mode: 0o700 });
    const { writePrivate } = await import('../../sys/private-files.ts');
    writePrivate(ca.key, key);
    await ensure(input);
    assert.notEqual(readFileSync(ca.key, 'utf8'), key);
  });

  for (const [lost, kept] of [
    ['all of them', []],
    ['the key of secrets', ['ca', 'etcd-ca', 'front-proxy-ca', 'service-account']],
    ['an authority', ['etcd-ca', 'front-proxy-ca', 'service-account', 'encryption']],
  ] as const)
    it(`is never made anew beside data: ${lost} missing is an error, unless somebody retired them`, async (t) => {
      const input = inputOf(t);
      await ensure(input);
      mkdirSync(path.join(input.home.etcd, 'member'), { recursive: true });
      await ensure(input);
      const nameOf = (file: string): string => path.parse(file).name;
      for (const file of readdirSync(input.home.pki))
        if (!kept.some((name) => name === nameOf(file))) rmSync(path.join(input.home.pki, file));
      const before = everything(input.home.pki);
      await assert.rejects(ensure(input), {
        code: 'CW-PKI-LOST',
        message: /^web has data, but /,
        fix: /cluster restore web/,
      });
      assert.deepEqual(everything(input.home.pki), before, 'nothing was made');
      for (const name of ['ca', 'etcd-ca', 'front-proxy-ca', 'service-account', 'encryption'])
        writeFileSync(path.join(input.home.pki, `${name}.retired`), '');
      await ensure(input);
    });
});
