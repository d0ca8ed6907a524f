import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { it } from 'node:test';
import fc from 'fast-check';
import { tlsCovers } from '../../core/names.ts';
import { noAllocations } from '../../model/index.ts';
import type { Model } from '../../model/schema/index.ts';
import { buildContext } from '../build-context.ts';
import { newCache, noCache } from '../cache.ts';
import { nameNeeds } from '../dns/index.ts';
import { endpointOf } from '../endpoints.ts';
import { kubernetesRuntime } from '../runtime.ts';
import type { Certificate } from '../schema/index.ts';
import { arbitraryModel } from '../testing/arbitrary-model.ts';
import { planCertificates } from './index.ts';

const situation = fc
  .record({ base: arbitraryModel(), wildcard: fc.boolean(), userClusters: fc.boolean() })
  .map(({ base, wildcard, userClusters }): Model => {
    const { platform, seeds } = base;
    const { certificates } = platform.spec;
    return {
      ...base,
      platform:
        certificates === undefined
          ? platform
          : { ...platform, spec: { ...platform.spec, certificates: { ...certificates, wildcard } } },
      seeds: seeds.map((seed) => ({ ...seed, spec: { ...seed.spec, monitoring: { userClusters } } })),
    };
  });

const covers = (certificate: Certificate | undefined, host: string): boolean =>
  isIP(host) === 0
    ? certificate?.dnsNames.some((name) => tlsCovers(name, host)) === true
    : certificate?.ips.includes(host) === true;

it('the one certificate at the ingress covers every name that points there', () => {
  fc.assert(
    fc.property(situation, (model) => {
      const ctx = buildContext(model, noAllocations);
      const platform = planCertificates(ctx).find((certificate) => certificate.name === 'platform');
      for (const { name } of nameNeeds(ctx).filter((need) => need.place === 'master/ingress')) {
        assert.ok(covers(platform, name), name);
      }
    }),
  );
});

it('whatever host a client dials is in the certificate that it is shown', () => {
  fc.assert(
    fc.property(situation, (model) => {
      const ctx = buildContext(model, noAllocations);
      const byName = new Map(planCertificates(ctx).map((certificate) => [certificate.name, certificate]));
      for (const c of ctx.clusters) {
        const { apiServer, konnectivity, tunnel, seed, kubernetesService } = endpointOf(c);
        const api = byName.get(`apiserver-${c.name}`);
        assert.ok(apiServer.host === null || covers(api, apiServer.host));
        assert.ok(kubernetesService.addresses.every((address) => covers(api, address)));
        assert.ok(konnectivity.host === null || covers(byName.get(`konnectivity-${c.name}`), konnectivity.host));
        assert.ok(tunnel?.sni === undefined || covers(byName.get(`gateway-${seed}`), tunnel.sni));
      }
    }),
  );
});

it('a replanned change equals a plan from scratch', () => {
  fc.assert(
    fc.property(situation, (model) => {
      const cache = newCache();
      planCertificates(buildContext(model, noAllocations, kubernetesRuntime, cache));
      const changed = { ...model, clusters: model.clusters.slice(1) };
      const again = planCertificates(buildContext(changed, noAllocations, kubernetesRuntime, cache));
      assert.deepEqual(again, planCertificates(buildContext(changed, noAllocations, kubernetesRuntime, noCache)));
    }),
  );
});
