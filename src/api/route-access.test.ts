import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unusedRoutes } from './app.ts';
import { requestHeader } from './guard/requests.ts';
import { type RouteAccess, routeAccess } from './route-access.ts';
import type { Role } from './schema/session.ts';
import { type SampleApi, sampleApi } from './testing/sample-api.ts';

type Described = Parameters<typeof routeAccess>[0];
const described = (security?: unknown): Described =>
  ({ paths: { '/secrets': { get: { summary: '', ...(security === undefined ? {} : { security }) } } } }) as Described;

test('a route that does not say who may use it has no place in the table of roles', () => {
  for (const security of [undefined, [{}], [{ bearer: [] }], [{ bearer: ['root'] }], [{ a: ['viewer'], b: ['admin'] }]])
    assert.throws(() => routeAccess(described(security)), /get \/secrets does not declare one least role/);
  assert.equal(routeAccess(described([]))[0]?.role, undefined);
  assert.equal(routeAccess(described([{ session: ['admin'] }, { bearer: ['admin'] }]))[0]?.role, 'admin');
});

test('every route that is served is in the table of roles', () => {
  const served = unusedRoutes()
    .routes.filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)(?:\{.*?\})?/g, '{$1}')}`);
  const known = routeAccess().map(({ method, path }) => `${method} ${path}`);
  assert.ok(known.length > 30);
  assert.deepEqual([...new Set(served)].sort(), known.sort());
});

test('every route takes the role that the table says, and no less', async (t) => {
  const sample = await sampleApi(t);
  const everybody: readonly (Role | undefined)[] = [undefined, 'viewer', 'operator', 'admin'];
  for (const route of routeAccess())
    for (const who of everybody) {
      const status = await statusOf(sample, route, who);
      const what = `${route.method} ${route.path} as ${who ?? 'nobody'}: ${status}`;
      const refused = who === undefined ? 401 : 403;
      if (everybody.indexOf(who) < everybody.indexOf(route.role)) assert.equal(status, refused, what);
      else if (route.role !== undefined) assert.ok(status !== 401 && status !== 403, what);
    }
});

/** What the route says to a request that is good for nothing else. */
async function statusOf(sample: SampleApi, { method, path }: RouteAccess, who: Role | undefined): Promise<number> {
  sample.sleep(1000);
  const url = path.replace('{kind}', 'Cluster').replaceAll(/\{\w+\}/g, 'nowhere');
  const body = ['POST', 'PUT'].includes(method) ? { body: '{}' } : {};
  const headers = { 'content-type': 'application/json', [requestHeader]: '1' };
  const answer = await sample.ask(who, url, { method, headers, ...body });
  // Event streams would go on.
  await answer.body?.cancel();
  return answer.status;
}
