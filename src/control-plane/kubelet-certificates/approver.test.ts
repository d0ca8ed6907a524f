import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../../../test/support/gateway/until.ts';
import type { KubeClient, KubeObject } from '../../kube/index.ts';
import { fakeCollection } from '../../kube/testing/fake-collection.ts';
import { createAuthority, readSigningRequest, validFor } from '../../pki/index.ts';
import { createSigningRequest } from '../../pki/testing/signing-request.ts';
import { silentLog } from '../../sys/log.ts';
import { KubeletApprover } from './approver.ts';
import type { AddressedNode } from './review.ts';

const username = 'system:node:one';
const subject: Record<string, string[]>[] = [{ O: ['system:nodes'] }, { CN: [username] }];
const pem = (ips: readonly string[]): Promise<string> => createSigningRequest({ subject, ips });

async function requestObject(name: string, ips = ['10.0.0.1'], conditions: readonly object[] = []) {
  return {
    metadata: { name, uid: `uid of ${name}` },
    spec: {
      ...{ request: Buffer.from(await pem(ips)).toString('base64'), signerName: 'kubernetes.io/kubelet-serving' },
      ...{ username, groups: ['system:nodes'], usages: ['digital signature', 'server auth'] },
    },
    status: { conditions },
  };
}

interface Answer {
  readonly name: string;
  readonly uid: unknown;
  readonly type: string;
}

function scene(t: TestContext, present: readonly Awaited<ReturnType<typeof requestObject>>[], refusals = 0) {
  const answers: Answer[] = [];
  const marked: unknown[] = [];
  const collection = fakeCollection(present);
  let left = refusals;
  const client = {
    watch: collection.watch,
    async apply(object: KubeObject, options: { readonly subresource?: string }) {
      if (left-- > 0) throw new Error('not now');
      if (object.kind === 'Node') return void marked.push(object.metadata);
      assert.equal(options.subresource, 'approval');
      const { conditions } = (object as unknown as { status: { conditions: { type: string }[] } }).status;
      const [condition] = conditions;
      answers.push({ name: object.metadata.name, uid: object.metadata.uid, type: condition?.type ?? '' });
    },
  } as unknown as KubeClient;
  const known: { nodes: AddressedNode[] | undefined } = {
    nodes: [{ metadata: { name: 'one' }, status: { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] } }],
  };
  const approver = new KubeletApprover({
    ...{ cluster: 'shop', client: () => client, nodes: () => known.nodes, log: silentLog },
    backoff: { firstMs: 1, longestMs: 5 },
  });
  t.after(() => approver.stop());
  approver.follow();
  return { answers, marked, approver, known, tell: collection.tell };
}

test('a node’s own request is approved once, by its uid, and also after an attempt that failed', async (t) => {
  const { answers, tell } = scene(t, [await requestObject('first')], 2);
  await until(() => answers.length === 1);
  tell('MODIFIED', await requestObject('first', ['10.0.0.1'], [{ type: 'Approved' }]));
  tell('ADDED', await requestObject('second'));
  await until(() => answers.length === 2);
  assert.deepEqual(answers, [
    { name: 'first', uid: 'uid of first', type: 'Approved' },
    { name: 'second', uid: 'uid of second', type: 'Approved' },
  ]);
});

test('a Node whose request is approved is marked, as that Node and not as another of its name', async (t) => {
  const { answers, marked, approver, known } = scene(t, [await requestObject('first', ['10.0.0.7'])], 3);
  const addresses = [{ type: 'InternalIP', address: '10.0.0.7' }];
  known.nodes = [{ metadata: { name: 'one', uid: 'uid of one' }, status: { addresses } }];
  approver.nodesChanged();
  await until(() => answers.length === 1);
  assert.deepEqual(marked[0], {
    ...{ name: 'one', uid: 'uid of one' },
    annotations: { 'causeway.dev/kubelet-certificate': 'issued' },
  });
});

test('what was answered already, by whom ever, is left alone', async (t) => {
  const { answers, tell } = scene(t, [await requestObject('denied', ['10.0.0.1'], [{ type: 'Denied' }])]);
  tell('ADDED', await requestObject('open'));
  await until(() => answers.length === 1);
  assert.equal(answers[0]?.name, 'open');
});

test('a request waits until its Node has the address', async (t) => {
  const { answers, approver, known } = scene(t, [await requestObject('early', ['10.0.0.9'])]);
  known.nodes = undefined;
  approver.nodesChanged();
  known.nodes = [{ metadata: { name: 'one' }, status: { addresses: [{ type: 'InternalIP', address: '10.0.0.9' }] } }];
  approver.nodesChanged();
  await until(() => answers.length === 1);
  assert.equal(answers[0]?.type, 'Approved');
});

test('a request that is not the node’s own is denied', async (t) => {
  const foreign = await requestObject('foreign');
  const { answers } = scene(t, [{ ...foreign, spec: { ...foreign.spec, username: 'system:node:two' } }]);
  await until(() => answers.length === 1);
  assert.equal(answers[0]?.type, 'Denied');
});

test('a node that asks for more than its share waits, and others do not wait for it', async (t) => {
  const flood = await Promise.all(Array.from({ length: 20 }, (_, n) => requestObject(`flood-${n}`, ['192.0.2.1'])));
  const other = await requestObject('other');
  const { answers } = scene(t, [...flood, { ...other, spec: { ...other.spec, username: 'system:node:two' } }]);
  await until(() => answers.length === 1);
  assert.equal(answers[0]?.name, 'other');
});

test('a request is read as it was written, and one that is not signed with its own key is none', async () => {
  const text = await createSigningRequest({ subject, ips: ['10.0.0.1', 'fd00::1'], dnsNames: ['one'] });
  const read = await readSigningRequest(text);
  assert.deepEqual([read?.dnsNames, read?.others], [['one'], []]);
  assert.equal(read?.ips.length, 2);
  assert.deepEqual(read?.subject, [
    ['O', 'system:nodes'],
    ['CN', username],
  ]);
  const bytes = Buffer.from(text.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 1;
  const forged = `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  assert.equal(await readSigningRequest(forged), undefined);
  const { certificate } = await createAuthority('no request', validFor(new Date(), 1));
  assert.equal(await readSigningRequest(certificate), undefined);
});
