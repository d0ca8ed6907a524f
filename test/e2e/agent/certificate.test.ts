// An agent that shows a client certificate instead of a token.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { checkPath, checkText } from '../../../src/agent/check/check.ts';
import { type AgentFlags, readOptions } from '../../../src/agent/options.ts';
import { silentLog } from '../../../src/sys/log.ts';
import type { Certificate } from '../../support/gateway/certificates.ts';
import { createUndoList } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { agentFor, createScene, flagsFor, greeting, portOf, recordingLog, type Scene } from './scene.ts';

const shared = createUndoList();
let scene: Scene;
let tunnelPort: number;
before(async () => {
  scene = await createScene(shared, 'certificate');
  tunnelPort = portOf(await scene.startGateway(), 'tunnel');
});
after(() => shared.run());

const flagsWith = (certificate?: Pick<Certificate, 'certFile' | 'keyFile'>): AgentFlags => ({
  ...flagsFor(scene, tunnelPort),
  tokenFile: undefined,
  cert: certificate?.certFile,
  key: certificate?.keyFile,
});

test('gets to its own cluster, and with another one in its file to that one only', async (t) => {
  const files = { certFile: path.join(scene.directory, 'tls.crt'), keyFile: path.join(scene.directory, 'tls.key') };
  const put = ({ certFile, keyFile }: Certificate): void => {
    copyFileSync(certFile, files.certFile);
    copyFileSync(keyFile, files.keyFile);
  };
  put(scene.clientCertificate('shop'));
  const { log } = recordingLog();
  const agent = await agentFor(t, { ...flagsWith(files), transport: 'h2' }, log);
  assert.equal(await greeting(agent.listening.port), 'shop -\n');
  put(scene.clientCertificate('erp'));
  const other = await agentFor(t, { ...flagsWith(files), transport: 'h2' }, log);
  await assert.rejects(greeting(other.listening.port));
});

test('says so when the gateway wants a certificate and gets none, or one of another cluster', async () => {
  const check = async (certificate?: Certificate): Promise<string> =>
    checkText(await checkPath(readOptions(flagsWith(certificate)), silentLog));
  assert.match(await check(scene.clientCertificate('shop')), /ok +API server/);
  assert.match(await check(scene.clientCertificate('erp')), /failed +open[^\n]*\n[^\n]*wrong-cluster/);
  await until(async () => /failed +(open|transport|TLS gateway)/.test(await check()));
});
