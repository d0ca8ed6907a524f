// The firewall matrix against everything that dials: no endpoint without a rule, no proxy without a way to it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Model } from '../model/schema/index.ts';
import { plan } from './plan.ts';
import type { Endpoint, Flow, Plan } from './schema/index.ts';
import { arbitraryModel } from './testing/arbitrary-model.ts';

const law = (check: (planned: Plan, model: Model) => void): void =>
  fc.assert(
    fc.property(arbitraryModel(), (model) => check(plan(model), model)),
    { numRuns: 150 },
  );

const opens = (ports: Flow['ports'], port: number): boolean =>
  ports.length === 0 ||
  ports.some((entry) => {
    if (typeof entry === 'number') return entry === port;
    const [first = 0, last = first] = entry.split('-').map(Number);
    return first <= port && port <= last;
  });
/** A flow that names no cluster is needed by the platform itself, and serves all. */
const serves = ({ clusters }: Flow, cluster: string | undefined): boolean =>
  cluster === undefined || clusters.length === 0 || clusters.includes(cluster);

interface Dial {
  readonly from: string;
  readonly to: string;
  readonly port: number | null;
  /** Nothing: the way must be open for somebody. */
  readonly cluster?: string | undefined;
}
function assertOpen({ flows }: Plan, { from, to, port, cluster }: Dial): void {
  const open =
    port === null ||
    flows.some((flow) => flow.from === from && flow.to === to && opens(flow.ports, port) && serves(flow, cluster));
  assert.ok(open, `${cluster}: nothing lets ${from} reach ${to} on ${port}`);
}

const entryOf = ({ seed, strategy }: Endpoint): string =>
  `seed/${seed}/${strategy === 'LoadBalancer' ? 'load-balancers' : 'gateway'}`;
const portOf = (url: string): number => Number(new URL(url).port || (url.startsWith('https') ? 443 : 80));
const proxyPlace = (url: string): string => `proxy/${new URL(url).hostname}:${portOf(url)}`;

describe('flows', () => {
  it('let workers, or their proxy, reach both endpoints and the tunnel of every cluster', () => {
    law((planned, model) => {
      for (const endpoint of Object.values(planned.endpoints)) {
        const { cluster, apiServer, konnectivity, tunnel = apiServer } = endpoint;
        const dial = { from: dialerOf(planned, endpoint, model), to: entryOf(endpoint), cluster };
        for (const { port } of [apiServer, konnectivity, tunnel]) assertOpen(planned, { ...dial, port });
      }
    });
  });

  it('let users and the platform reach the server of every kubeconfig', () => {
    law((planned) => {
      for (const endpoint of Object.values(planned.endpoints)) {
        if (endpoint.kubeconfigServer === null) continue;
        const dial = { to: entryOf(endpoint), port: portOf(endpoint.kubeconfigServer), cluster: endpoint.cluster };
        for (const from of ['users', 'master/nodes']) assertOpen(planned, { from, ...dial });
      }
    });
  });

  it('let everybody who is told to use a proxy reach it', () => {
    law((planned, model) => {
      // What nodes of a datacenter would have in common matters as soon as there are, or will be, some.
      const isUsed = (place: string): boolean =>
        !place.startsWith('datacenter/') ||
        planned.flows.some(({ from }) => from === nodesOf(planned, place, model).from);
      for (const [place, { http, https }] of Object.entries(planned.proxy.places))
        for (const url of isUsed(place) ? [http, https].filter((one) => one !== undefined) : [])
          assertOpen(planned, { ...nodesOf(planned, place, model), to: proxyPlace(url), port: portOf(url) });
    });
  });

  it('never lead from a seed to workers', () => {
    law(({ flows }) => {
      for (const { from, to } of flows)
        assert.equal(
          from.startsWith('seed/') && !from.endsWith('/kubelb') && /^datacenter\/.*\/workers$/.test(to),
          false,
        );
    });
  });
});

/** The workers themselves, or the proxy that opens their connections. */
function dialerOf({ proxy, konnectivity }: Plan, endpoint: Endpoint, model: Model): string {
  const { cluster } = endpoint;
  const { https = '' } = proxy.places[`cluster/${cluster}/nodes`] ?? {};
  return konnectivity[cluster]?.agent.viaProxy === true ? proxyPlace(https) : workersOf(endpoint, model);
}

/** Workers of a tenant stand in its network. */
function workersOf({ cluster, datacenter }: Endpoint, { clusters }: Model): string {
  const tenant = clusters.find(({ metadata }) => metadata.name === cluster)?.spec.tenant;
  return tenant === undefined
    ? `datacenter/${datacenter}/workers`
    : `datacenter/${datacenter}/tenants/${tenant}/workers`;
}

/** The nodes that the programs of a place run on. */
function nodesOf({ endpoints }: Plan, place: string, model: Model): Pick<Dial, 'from' | 'cluster'> {
  const [kind, name = '', part] = place.split('/');
  if (kind === 'master') return { from: 'master/nodes' };
  if (kind === 'seed') return { from: `seed/${name}/nodes` };
  if (kind === 'datacenter') return { from: `datacenter/${name}/workers` };
  const endpoint = endpoints[name] as Endpoint;
  return part === 'control-plane'
    ? { from: `seed/${endpoint.seed}/nodes` }
    : { from: workersOf(endpoint, model), cluster: endpoint.cluster };
}

describe('NO_PROXY', () => {
  it('holds the control plane exactly where workers reach it themselves', () => {
    law(({ endpoints, konnectivity, proxy }) => {
      for (const { cluster, externalName } of Object.values(endpoints)) {
        const place = proxy.places[`cluster/${cluster}/nodes`];
        if (place === undefined || externalName === null) continue;
        assert.equal(place.noProxy.includes(externalName), konnectivity[cluster]?.agent.viaProxy === false, cluster);
      }
    });
  });
});

describe('the gateway', () => {
  it('recognises a cluster by exactly what its clients show', () => {
    law(({ endpoints, gateway }) => {
      for (const { cluster, seed, apiServer, konnectivity, tunnel, strategy } of Object.values(endpoints)) {
        const routes = gateway[seed]?.clusters[cluster] ?? assert.fail(cluster);
        assert.equal(routes.apiServer.sni, apiServer.sni);
        assert.equal(routes.konnectivity.sni, konnectivity.sni);
        assert.equal(routes.apiServer.authority, tunnel?.authority);
        const portKey = strategy === 'LoadBalancer' ? 'port' : 'nodePort';
        if (strategy === 'Tunneling') continue;
        assert.equal(routes.apiServer[portKey] ?? null, apiServer.port);
        assert.equal(routes.konnectivity[portKey] ?? null, konnectivity.port);
      }
    });
  });

  it('listens where clients of the tunnel and of names dial', () => {
    law(({ endpoints, gateway }) => {
      for (const { seed, entry, apiServer, tunnel } of Object.values(endpoints)) {
        if (tunnel === undefined) continue;
        const { sni, tunnel: tunnelPort, single } = gateway[seed]?.listeners ?? assert.fail(seed);
        assert.deepEqual([apiServer.port, tunnel.port], entry === 'single' ? [single, single] : [sni, tunnelPort]);
      }
    });
  });
});
