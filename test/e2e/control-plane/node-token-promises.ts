// What a real API server makes of tokens of nodes: whose they are, who may have them, and what is left of a node that was
// evicted.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createKubeClient, type KubeClient } from '../../../src/kube/index.ts';
import { TokenVerifier } from '../../../src/net/index.ts';
import { issueClient, validFor } from '../../../src/pki/index.ts';
import { pkiFiles } from '../../../src/runtime/local/file-store.ts';
import type { Undo } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import type { Kubectl, Scene } from './scene.ts';

interface Stage {
  readonly t: Undo;
  readonly scene: Scene;
  readonly admin: Kubectl;
}

const hour = 3_600_000;
const [stolen, other] = ['token-1.example', 'token-2.example'];
const secretOf = (node: string): string => `/api/v1/namespaces/kube-system/secrets/causeway-node-agent-${node}`;
const account = '/api/v1/namespaces/kube-system/serviceaccounts/causeway-node-agent/token';
const nodeOf = (name: string): object => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
const forbidden = { code: 'CW-KUBE-FORBIDDEN' };

/** With the certificate that a kubelet gets when it joins. */
async function kubelet(t: Undo, { server, input }: Scene, node: string): Promise<KubeClient> {
  const { cert, key } = pkiFiles(input.home.pki).ca;
  const authority = { certificate: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  const subject = { commonName: `system:node:${node}`, organization: 'system:nodes' };
  const own = await issueClient(authority, subject, validFor(new Date(), 1));
  const client = createKubeClient({ server, ca: authority.certificate, cert: own.certificate, key: own.key });
  t.after(() => client.close());
  return client;
}

/** As a kubelet asks for its next certificate. */
const signingRequest = (node: string): Buffer =>
  execFileSync(
    'openssl',
    [
      ...['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '/dev/null'],
      ...['-subj', `/O=system:nodes/CN=system:node:${node}`],
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );

async function tokenIn(client: KubeClient, node: string): Promise<string> {
  const secret = await client.get<{ readonly data: { readonly token: string } }>(secretOf(node));
  return Buffer.from(secret?.data.token ?? '', 'base64').toString();
}

export const nodeTokenPromises: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  async 'gives each node a token that names it, which a gateway verifies offline'({ t, scene }) {
    const { cluster } = scene;
    for (const node of [stolen, other]) await (await kubelet(t, scene, node)).post('/api/v1/nodes', nodeOf(node));
    const known = () => cluster.joinedNodes().filter(({ name }) => [stolen, other].includes(name));
    await until(() => known().length === 2);
    for (const node of known()) await cluster.giveNodeToken(node, hour);
    const { tokenAuthority } = cluster.observe();
    assert.ok(tokenAuthority);
    const verifier = new TokenVerifier();
    verifier.trustCluster('web', [tokenAuthority]);
    for (const node of [stolen, other]) {
      const verdict = verifier.verify(await tokenIn(await kubelet(t, scene, node), node), Date.now());
      assert.ok(verdict.ok, JSON.stringify(verdict));
      assert.deepEqual([verdict.claims.cluster, verdict.claims.node], ['web', node]);
    }
  },

  async 'lets no node have the token of another, or one that names another'({ t, scene }) {
    const client = await kubelet(t, scene, stolen);
    assert.notEqual(await tokenIn(client, stolen), '');
    await assert.rejects(client.get(secretOf(other)), forbidden);
    await assert.rejects(client.list('/api/v1/namespaces/kube-system/secrets'), forbidden);
    for (const name of [stolen, other]) {
      const boundObjectRef = { apiVersion: 'v1', kind: 'Node', name };
      const spec = { audiences: ['causeway-tunnel'], boundObjectRef };
      const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
      await assert.rejects(client.post(account, request), forbidden);
    }
  },

  async 'tells a node by its certificate which one it is, as its script asks'({ t, scene }) {
    const client = await kubelet(t, scene, stolen);
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const { status } = await client.post<{ status: { userInfo: { username: string } } }>(path, review);
    assert.equal(status.userInfo.username, `system:node:${stolen}`);
  },

  async 'keeps a node that was evicted from its token, from coming back and from changing anything'({
    t,
    scene,
    admin,
  }) {
    const { cluster } = scene;
    const [thief, staying] = [await kubelet(t, scene, stolen), await kubelet(t, scene, other)];
    await cluster.applyEvictions([stolen]);
    await until(() => cluster.joinedNodes().every(({ name }) => name !== stolen));
    await assert.rejects(thief.get(secretOf(stolen)), forbidden);
    const evicted = /was evicted/;
    // The policy is in force a moment after it was written.
    await until(() =>
      thief.post('/api/v1/nodes?dryRun=All', nodeOf(stolen)).then(
        () => false,
        ({ message }: Error) => evicted.test(message),
      ),
    );
    await assert.rejects(thief.post('/api/v1/nodes', nodeOf(stolen)), evicted);
    const signing = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'renewal-of-a-thief' },
      spec: {
        request: Buffer.from(signingRequest(stolen)).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
        usages: ['digital signature', 'client auth'],
      },
    };
    await assert.rejects(thief.post('/apis/certificates.k8s.io/v1/certificatesigningrequests', signing), evicted);
    assert.notEqual(await tokenIn(staying, other), '');
    await staying.apply({ ...nodeOf(other), metadata: { name: other, annotations: { still: 'here' } } } as never);
    await cluster.applyEvictions([]);
    await until(() =>
      thief.post('/api/v1/nodes', nodeOf(stolen)).then(
        () => true,
        () => false,
      ),
    );
    await admin('delete', 'node', stolen, other);
  },

  async 'lets nobody join any more by a token that was given away before an eviction'({ scene, t }) {
    const { cluster, server, input } = scene;
    const ca = readFileSync(pkiFiles(input.home.pki).ca.cert, 'utf8');
    const answerTo = (token: string): Promise<string> => {
      const joining = createKubeClient({ server, ca, token });
      t.after(() => joining.close());
      return joining.get('/api/v1/nodes/nobody').then(
        () => 'let in',
        ({ code }: { code: string }) => code,
      );
    };
    // One that was used is remembered by the API server for ten seconds.
    const given = await cluster.bootstrapToken(hour);
    await cluster.revokeJoinTokens();
    const next = await cluster.bootstrapToken(hour);
    await until(async () => (await answerTo(next)) === 'let in');
    assert.equal(await answerTo(given), 'CW-KUBE-UNAUTHORIZED');
  },
};
