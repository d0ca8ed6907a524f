import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import type { z } from '@hono/zod-openapi';
import { planSchema } from '../plan/schema/index.ts';
import { clusterDetail, clusterRow, connections } from './schema/clusters.ts';
import { finding, pageOf } from './schema/common.ts';
import { events } from './schema/events.ts';
import * as network from './schema/network.ts';
import { artefacts } from './schema/network.ts';
import { resourceItem } from './schema/resources.ts';
import { loginMethods, whoAmI } from './schema/session.ts';
import { logLines, type readiness, status, summary } from './schema/status.ts';
import { topology } from './schema/topology.ts';
import { codeOf, sampleApi } from './testing/sample-api.ts';

const answers: Record<string, z.ZodType> = {
  '/status': status,
  '/summary': summary,
  '/topology': topology,
  '/topology?cluster=tunneling': topology,
  '/clusters': pageOf(clusterRow),
  '/clusters/tunneling': clusterDetail,
  '/clusters/tunneling/connections': connections,
  '/plan': planSchema,
  '/flows': pageOf(network.flowRow),
  '/dns': pageOf(network.dnsRow),
  '/certificates': pageOf(network.certificateRow),
  '/addresses': network.addressPlan,
  '/egress': pageOf(network.egressRow),
  '/proxy': network.proxies,
  '/findings': pageOf(finding),
  '/artefacts': artefacts,
  '/events': events,
  '/components/logs?scope=cluster/tunneling&name=etcd': logLines,
  '/resources/Cluster': pageOf(resourceItem),
  '/resources/Platform/example': resourceItem,
  '/whoami': whoAmI,
  '/login/methods': loginMethods,
};

test('every answer is what its schema promises, and nobody gets it without a login', async (t) => {
  const { ask } = await sampleApi(t);
  for (const [url, schema] of Object.entries(answers)) {
    const response = await ask('viewer', `/api/v1${url}`);
    assert.equal(response.status, 200, url);
    const { error } = schema.safeParse(await response.json());
    assert.equal(error, undefined, url);
    if (url !== '/login/methods') assert.equal((await ask(undefined, `/api/v1${url}`)).status, 401, url);
  }
});

describe('readiness and metrics', () => {
  const readinessOf = async (api: Awaited<ReturnType<typeof sampleApi>>) => {
    const response = await api.ask(undefined, '/readyz');
    return { status: response.status, ...((await response.json()) as z.infer<typeof readiness>) };
  };

  it('tell without a login how many clusters are ready, and nothing else', async (t) => {
    assert.equal((await readinessOf(await sampleApi(t))).status, 200);
    const { status: code, conditions } = await readinessOf(await sampleApi(t, { trouble: ['tunneling'] }));
    assert.deepEqual([code, conditions.length, conditions[0]?.message], [503, 1, '3 of 4 clusters are ready']);
  });

  it('say the same as the status, and how long each step of a start took', async (t) => {
    const { ask, json } = await sampleApi(t, { trouble: ['tunneling'] });
    const response = await ask('viewer', '/api/v1/metrics');
    assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    const lines = new Set((await response.text()).split('\n'));
    const { clusters, conditions } = await json<z.infer<typeof status>>('viewer', '/api/v1/status');
    const line = (name: string, labels: string, value: number): string => `${name}{${labels}} ${value}`;
    const one = ({ status: now }: { status: string }): number => (now === 'True' ? 1 : 0);
    const expected = [
      ...conditions.map((own) => line('causeway_platform_condition', `type="${own.type}"`, one(own))),
      ...clusters.flatMap(({ name, conditions: all }) =>
        all.map((own) => line('causeway_cluster_condition', `cluster="${name}",type="${own.type}"`, one(own))),
      ),
      ...clusters.flatMap(({ name, timings = [] }) =>
        timings.map((step) =>
          line('causeway_cluster_start_step_seconds', `cluster="${name}",step="${step.name}"`, step.seconds),
        ),
      ),
    ];
    assert.ok(expected.some((text) => text.includes('step="api-server"')));
    assert.deepEqual(
      expected.filter((text) => !lines.has(text)),
      [],
    );
    assert.equal((await ask(undefined, '/api/v1/metrics')).status, 401);
  });
});

describe('lists', () => {
  it('come in pages that hold everything once', async (t) => {
    const { json } = await sampleApi(t);
    const { items: all, total } = await json<Listed>('viewer', '/api/v1/flows?limit=1000');
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const page = await json<Listed>(
        'viewer',
        `/api/v1/flows?limit=7${next === undefined ? '' : `&continue=${next}`}`,
      );
      seen.push(...page.items.map(({ id }) => id));
      next = page.continue;
    } while (next !== undefined);
    assert.equal(total, all.length);
    assert.deepEqual(
      seen,
      all.map(({ id }) => id),
    );
  });

  it('find all words, in any order, whatever their case', async (t) => {
    const { json } = await sampleApi(t);
    const { items } = await json<Listed>('viewer', '/api/v1/clusters?q=LOCAL%20nodep');
    assert.deepEqual(
      items.map(({ name }) => name),
      ['nodeport'],
    );
  });

  it('of flows are narrowed by place, cluster and port', async (t) => {
    const { json } = await sampleApi(t);
    const { items } = await json<Listed>('viewer', '/api/v1/flows?from=users&to=gateway&cluster=tunneling&port=6443');
    assert.deepEqual(
      items.map(({ requirement }) => requirement),
      ['PRT-11'],
    );
  });

  it('refuse a continue that they never gave', async (t) => {
    const { ask } = await sampleApi(t);
    const response = await ask('viewer', '/api/v1/flows?continue=bm90aGluZw');
    assert.equal(response.status, 400);
    assert.equal(await codeOf(response), 'CW-API-REQUEST');
  });
});

interface Listed {
  readonly items: readonly Record<'id' | 'name' | 'requirement', string>[];
  readonly total: number;
  readonly continue?: string;
}

test('an edge of the topology tells the flow, its port, its reason and who must open it', async (t) => {
  const { json } = await sampleApi(t, { trouble: ['tunneling'] });
  const { nodes, edges } = await json<z.infer<typeof topology>>('viewer', '/api/v1/topology');
  const agent = edges.find(({ id }) => id === 'agent/tunneling');
  assert.equal(agent?.healthy, false);
  assert.deepEqual(agent?.ports, [8088]);
  const [flow] = agent?.flows ?? [];
  assert.deepEqual(flow?.ports, [6443, 8088]);
  assert.match(flow?.reason ?? '', /Kubelets/);
  assert.equal(flow?.openedBy, 'you');
  const ids = new Set(nodes.map(({ id }) => id));
  assert.deepEqual(
    edges.filter(({ from, to }) => !ids.has(from) || !ids.has(to)),
    [],
  );
  assert.equal(nodes.find(({ id }) => id === 'workers/tunneling')?.healthy, false);
});

test('an artefact downloads under its own name', async (t) => {
  const { ask, json } = await sampleApi(t);
  const { items } = await json<z.infer<typeof artefacts>>('viewer', '/api/v1/artefacts');
  const url = items.find(({ name }) => name === 'firewall')?.files.find(({ path }) => path.endsWith('.csv'))?.url ?? '';
  const response = await ask('viewer', url);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-disposition') ?? '', /filename="matrix\.csv"/);
  assert.match(await response.text(), /PRT-11/);
  assert.equal((await ask('viewer', '/api/v1/artefacts/firewall/..%2F..%2Fplatform.yaml')).status, 404);
});

test('a kubeconfig is for whom it is for, ends when it was asked to, and is kept nowhere on the way', async (t) => {
  const { ask } = await sampleApi(t);
  const url = '/api/v1/clusters/tunneling/kubeconfig';
  const response = await ask('viewer', `${url}?ttl=1h`);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.match(response.headers.get('content-disposition') ?? '', /tunneling-viewer\.kubeconfig/);
  assert.match(await response.text(), /Ends after 3600000 ms/);
  assert.equal((await ask('operator', `${url}?role=admin`)).status, 403);
  assert.equal((await ask('admin', `${url}?role=admin`)).status, 200);
  assert.equal((await ask('admin', '/api/v1/clusters/nobody/kubeconfig')).status, 404);
});

test('what is broken inside stays inside', async (t) => {
  const { ask, platform } = await sampleApi(t);
  platform.view = () => {
    throw new Error('a secret of the inside');
  };
  const response = await ask('viewer', '/api/v1/status');
  assert.equal(response.status, 500);
  assert.doesNotMatch(await response.text(), /secret/);
});
