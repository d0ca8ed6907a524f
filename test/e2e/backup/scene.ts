// A real etcd as a cluster has it, and a real S3 server.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import type { Store as KeyStore } from '../../../src/control-plane/cluster-runtime.ts';
import { controlPlaneWorkloads } from '../../../src/control-plane/components/index.ts';
import { ensurePki } from '../../../src/control-plane/pki/ensure-pki.ts';
import type { Workload } from '../../../src/control-plane/workload.ts';
import type { S3Options } from '../../../src/runtime/local/backup/s3-client.ts';
import { etcdMember } from '../../../src/runtime/local/backup/snapshot.ts';
import { pkiFiles } from '../../../src/runtime/local/file-store.ts';
import { createSupervisor, localCluster } from '../../../src/runtime/local/index.ts';
import { rememberPorts } from '../../../src/runtime/local/ports.ts';
import { homeIn, type LocalInput, localInput, scratchDirectory } from '../../../src/runtime/local/testing/place.ts';
import { silentLog } from '../../../src/sys/log.ts';
import { run } from '../../support/child-process.ts';
import { freePort } from '../../support/gateway/ports.ts';
import { until } from '../../support/gateway/until.ts';

const execute = promisify(execFile);

export interface Store {
  readonly input: LocalInput;
  readonly keys: KeyStore;
  write(key: string, value: string): Promise<void>;
  read(prefix: string): Promise<Record<string, string>>;
  revision(): Promise<number>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function startStore(t: TestContext, etcdctl: string): Promise<Store> {
  const directory = scratchDirectory(t);
  const home = homeIn(directory);
  const input = localInput(home, { ports: await rememberPorts(home) });
  const runtime = localCluster(input);
  const { marks } = await ensurePki(input, runtime, { now: Date.now });
  const pki = pkiFiles(home.pki);
  const driver = createSupervisor({ directory: path.join(directory, 'state'), log: silentLog });
  t.after(() => driver.stop());
  const access = ['--cacert', pki.etcdCa.cert, '--cert', pki.backup.cert, '--key', pki.backup.key];
  const ask = async (...args: string[]): Promise<string> =>
    (await execute(etcdctl, ['--endpoints', etcdMember(input).clientUrl, ...access, ...args])).stdout;
  const scope = `cluster/${input.cluster}` as const;
  const [etcd] = controlPlaneWorkloads({ ...input, marks, podSecurity: 'baseline', verifiesKubelets: true }) as [
    Workload,
  ];
  const start = async (): Promise<void> => {
    driver.apply(scope, runtime.resolve([etcd]));
    await until(() => driver.look()[0]?.healthy === true, 60_000);
  };
  await start();
  return {
    input,
    keys: runtime.store,
    start,
    stop: () => driver.remove(scope),
    write: async (key, value) => void (await ask('put', key, value)),
    async read(prefix) {
      const lines = (await ask('get', '--prefix', prefix)).trimEnd().split('\n');
      return Object.fromEntries(lines.flatMap((key, at) => (at % 2 === 0 ? [[key, lines[at + 1] ?? '']] : [])));
    },
    async revision() {
      const status = JSON.parse(await ask('endpoint', 'status', '-w', 'json')) as [
        { Status: { header: { revision: number } } },
      ];
      return status[0].Status.header.revision;
    },
  };
}

/** A server with one bucket, and a look behind it. */
export async function startBucket(
  t: TestContext,
  versitygw: string,
): Promise<{ options: S3Options; files(folder: string): string[] }> {
  const directory = scratchDirectory(t);
  const bucket = path.join(directory, 'backups');
  mkdirSync(bucket);
  const port = await freePort();
  const credentials = { accessKeyId: 'causeway', secretAccessKey: 'a secret of the test' };
  run(t, {
    program: versitygw,
    args: ['--port', `127.0.0.1:${port}`, 'posix', directory],
    env: { ROOT_ACCESS_KEY: credentials.accessKeyId, ROOT_SECRET_KEY: credentials.secretAccessKey },
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await until(() =>
    fetch(endpoint).then(
      () => true,
      () => false,
    ),
  );
  return {
    options: { endpoint, bucket: 'backups', region: 'us-east-1', credentials },
    files: (folder) => readdirSync(path.join(bucket, folder)),
  };
}
