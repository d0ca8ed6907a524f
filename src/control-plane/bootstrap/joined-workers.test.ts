import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeClient, KubeObject } from '../../kube/index.ts';
import { sampleInput } from '../testing/input.ts';
import { agentTokenPath, applyJoinedWorkers, joinedWorkerObjects } from './joined-workers.ts';

const { konnectivity } = sampleInput();
const image = 'registry.example.com/proxy-agent:v1';
const textOf = (value: unknown): string => JSON.stringify(value);
const daemonSet = (proxy?: string): unknown =>
  joinedWorkerObjects({ konnectivity, image, ...(proxy === undefined ? {} : { proxy }) }).find(
    ({ kind }) => kind === 'DaemonSet',
  );

test('konnectivity agents dial what the plan says, with a token that only their server takes', () => {
  const text = textOf(daemonSet());
  assert.match(text, /--proxy-server-host=konnectivity-server\.web\.west\.example\.com/);
  assert.match(text, /"audience":"system:konnectivity-server"/);
  assert.doesNotMatch(text, /HTTPS_PROXY/);
});

test('they stay away from nodes that the platform plays itself', () => {
  assert.match(textOf(daemonSet()), /"key":"causeway.dev\/worker","operator":"DoesNotExist"/);
});

test('the password of a proxy is in a Secret, not in what everybody may read', () => {
  const text = textOf(daemonSet('http://user:word@proxy:3128'));
  assert.match(text, /"name":"HTTPS_PROXY","valueFrom":\{"secretKeyRef"/);
  assert.doesNotMatch(text, /word@/);
});

test('nodes may read the token of their agents, and no other secret', () => {
  const roles = joinedWorkerObjects({ konnectivity, image, sharedToken: 'x' }).filter(({ kind }) => kind === 'Role');
  assert.deepEqual(
    roles.flatMap(({ rules }) => rules),
    [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['causeway-node-agent'], verbs: ['get'] }],
  );
});

test('the mark that a cluster has machines of others is made before anything that needs it', async () => {
  const asked: string[] = [];
  const client = {
    apply: async ({ metadata }: KubeObject) => {
      asked.push(metadata.name);
      throw new Error('no');
    },
  } as never as KubeClient;
  await assert.rejects(applyJoinedWorkers(client, { konnectivity, image }), /no/);
  assert.deepEqual(asked, [agentTokenPath.split('/').at(-1)]);
});
