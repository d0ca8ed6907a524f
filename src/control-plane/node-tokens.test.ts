import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import type { KubeClient, KubeObject } from '../kube/index.ts';
import { serviceAccountKeyId } from '../net/index.ts';
import { applyEvictions, evictionPolicy, revokeJoinTokens } from './evictions.ts';
import { nodeTokenObjects, tokenAuthorityOf } from './node-tokens.ts';
import { sampleInput } from './testing/input.ts';

const node = { name: 'n1.example', uid: 'c3f5' };

test('a node may read its own token, and no other secret', () => {
  const objects = nodeTokenObjects(node, 'token');
  const find = (kind: string): KubeObject => objects.find((object) => object.kind === kind) as KubeObject;
  assert.deepEqual(find('Secret').stringData, { token: 'token' });
  assert.deepEqual(find('Role').rules, [
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['causeway-node-agent-n1.example'], verbs: ['get'] },
  ]);
  assert.deepEqual(find('RoleBinding').subjects, [
    { kind: 'User', name: 'system:node:n1.example', apiGroup: 'rbac.authorization.k8s.io' },
  ]);
});

test('all of it goes with the node', () => {
  for (const { metadata } of nodeTokenObjects(node, 'token'))
    assert.deepEqual(metadata.ownerReferences, [{ apiVersion: 'v1', kind: 'Node', ...node }]);
});

test('a gateway is told each key that the API server is given', () => {
  const keys = ['P-256', 'P-256'].map((namedCurve) => generateKeyPairSync('ec', { namedCurve }).publicKey);
  const pems = keys.map((key) => key.export({ type: 'spki', format: 'pem' }).toString());
  const authority = tokenAuthorityOf(sampleInput(), pems.join('\n'));
  assert.deepEqual(
    authority.keys,
    keys.map((key, i) => ({ id: serviceAccountKeyId(key), publicKey: pems[i] })),
  );
  assert.equal(authority.subject, 'system:serviceaccount:kube-system:causeway-node-agent');
});

/** Notes what is asked, in order. */
function noting(secrets: readonly object[] = []) {
  const asked: string[] = [];
  const client = {
    apply: async ({ kind, metadata }: KubeObject) => void asked.push(`apply ${kind} ${metadata.name}`),
    remove: async (path: string) => asked.push(`remove ${path.split('/').slice(-2).join('/')}`) > 0,
    list: async (path: string) => (path.includes('/secrets') ? secrets : []),
  };
  return { asked, client: client as never as KubeClient };
}

test('a node that is shut out is kept from writing before anything of it is removed', async () => {
  const { asked, client } = noting();
  await applyEvictions(client, ['n1']);
  assert.deepEqual(asked, [
    'apply ValidatingAdmissionPolicy causeway-evicted-nodes.causeway.dev',
    'apply ValidatingAdmissionPolicyBinding causeway-evicted-nodes.causeway.dev',
    'remove rolebindings/causeway%3Anode-agent%3An1',
    'remove roles/causeway%3Anode-agent%3An1',
    'remove secrets/causeway-node-agent-n1',
    'remove nodes/n1',
  ]);
});

test('the policy names exactly the nodes that are shut out, and goes with the last of them', async () => {
  const [policy] = evictionPolicy(['n2', 'n1']);
  assert.match(JSON.stringify(policy), /username in \[\\"system:node:n1\\",\\"system:node:n2\\"\]/);
  const { asked, client } = noting();
  await applyEvictions(client, []);
  assert.deepEqual(
    asked.map((one) => one.split('/')[0]),
    ['remove validatingadmissionpolicybindings', 'remove validatingadmissionpolicies'],
  );
});

test('tokens that machines join with are revoked, and those of somebody else are left', async () => {
  const secret = (name: string, groups: string): object => ({
    metadata: { name },
    data: { 'auth-extra-groups': Buffer.from(groups).toString('base64') },
  });
  const { asked, client } = noting([
    secret('bootstrap-token-aaaaaa', 'system:bootstrappers:kubeadm:default-node-token'),
    secret('bootstrap-token-bbbbbb', 'system:bootstrappers:others'),
    { metadata: { name: 'bootstrap-token-cccccc' } },
  ]);
  await revokeJoinTokens(client);
  assert.deepEqual(asked, ['remove secrets/bootstrap-token-aaaaaa']);
});
