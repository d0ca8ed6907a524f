import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noAllocations } from '../../model/index.ts';
import type { Cluster, Platform, Seed } from '../../model/schema/index.ts';
import { buildContext } from '../build-context.ts';
import type { Certificate } from '../schema/index.ts';
import {
  sampleCluster,
  sampleDatacenter,
  sampleModel,
  samplePlatform,
  samplePool,
  sampleSeed,
} from '../testing/sample-model.ts';
import { planCertificates } from './index.ts';

interface Parts {
  readonly platform?: Partial<Platform['spec']>;
  readonly seed?: Partial<Seed['spec']>;
  readonly cluster?: Partial<Cluster['spec']>;
}
function certificatesOf({ platform, seed, cluster }: Parts): Map<string, Certificate> {
  const model = sampleModel({
    platform: samplePlatform(platform),
    seeds: [sampleSeed('seed', seed)],
    datacenters: [sampleDatacenter('dc1', { seed: 'seed' })],
    clusters: [sampleCluster('web', cluster)],
    pools: [samplePool('vips', { seed: 'seed', ranges: ['203.0.113.7'] })],
  });
  return new Map(planCertificates(buildContext(model, noAllocations)).map((c) => [c.name, c]));
}
const certificate = (parts: Parts, name: string): Certificate => {
  const found = certificatesOf(parts).get(name);
  assert.ok(found, `no certificate ${name}`);
  return found;
};
const base = 'kubermatic.example.com';
const monitored = { monitoring: { userClusters: true } };
const dns01 = { provider: 'rfc2136' };

describe('the certificate of the platform', () => {
  const services = ['grafana', 'prometheus', 'alertmanager', 'kibana'] as const;
  const platform: Partial<Platform['spec']> = { monitoring: { services: [...services] } };

  for (const name of [
    base,
    ...services.map((service) => `${service}.${base}`),
    `grafana.seed.${base}`,
    `alertmanager.seed.${base}`,
  ]) {
    it(`is valid for ${name}`, () => {
      assert.ok(certificate({ platform, seed: monitored }, 'platform').dnsNames.includes(name));
    });
  }

  it('is one, shown at the ingress, and leaves out what is not deployed', () => {
    const { place, requirement, dnsNames } = certificate({}, 'platform');
    assert.deepEqual([place, requirement], ['master/ingress', 'CRT-6']);
    assert.deepEqual(dnsNames, [base, `grafana.${base}`, `prometheus.${base}`, `alertmanager.${base}`]);
  });

  it('with wildcards still names the domain, and each monitored seed separately', () => {
    const certificates = { wildcard: true, acmeDNS01: dns01 };
    const names = (seed: Partial<Seed['spec']>) =>
      certificate({ platform: { certificates }, seed }, 'platform').dnsNames;
    assert.deepEqual(names(monitored), [base, `*.${base}`, `*.seed.${base}`]);
    assert.deepEqual(names({}), [base, `*.${base}`]);
  });

  it('has single names with HTTP-01, which cannot prove a wildcard', () => {
    const certificates = { wildcard: true, acmeHTTP01: {} };
    assert.ok(!certificate({ platform: { certificates } }, 'platform').dnsNames.some((name) => name.startsWith('*')));
  });

  const key = { env: 'KEY' };
  const modes: [NonNullable<Platform['spec']['certificates']> | undefined, string, RegExp][] = [
    [undefined, 'undecided', /not decided/],
    [{ acmeHTTP01: {} }, 'acme-http01', /Let’s Encrypt, by ACME HTTP-01/],
    [
      { acmeDNS01: { ...dns01, server: 'https://acme.example.com:8443/dir' } },
      'acme-dns01',
      /acme\.example\.com:8443, by ACME DNS-01 through rfc2136/,
    ],
    [{ issuer: { name: 'corp', kind: 'Issuer' } }, 'issuer', /Issuer corp/],
    [{ file: { certificate: 'platform.pem', key } }, 'file', /supplies/],
    [{ ca: { bundle: { file: 'ca.pem' }, key } }, 'ca', /own CA/],
    [{ selfSigned: {} }, 'self-signed', /itself/],
  ];
  for (const [certificates, issuer, words] of modes) {
    it(`says who issues it: ${issuer}`, () => {
      const issued = certificate({ platform: { certificates } }, 'platform');
      assert.equal(issued.issuer, issuer);
      assert.match(issued.issuedBy, words);
    });
  }
});

describe('the certificate of a gateway', () => {
  const tunnelling = { exposeStrategy: 'Tunneling' } as const;

  it('names the tunnel where agents come by TLS', () => {
    const { dnsNames, place, issuer, clusters } = certificate({ cluster: tunnelling }, 'gateway-seed');
    assert.deepEqual(dnsNames, [`tunnel.seed.${base}`]);
    assert.deepEqual([place, issuer, clusters], ['seed/seed/gateway', 'gateway-ca', ['web']]);
  });

  it('is needed neither without the tunnel nor for cleartext agents on the split ports', () => {
    const clear = {
      gateway: { address: {}, tunnelAuthentication: 'none', offers: ['split', 'single'] },
    } satisfies Partial<Seed['spec']>;
    assert.equal(certificatesOf({ cluster: { exposeStrategy: 'NodePort' } }).has('gateway-seed'), false);
    assert.equal(certificatesOf({ cluster: tunnelling, seed: clear }).has('gateway-seed'), false);
    const single = { ...tunnelling, workers: { entry: 'single' } } satisfies Partial<Cluster['spec']>;
    assert.equal(certificatesOf({ cluster: single, seed: clear }).has('gateway-seed'), true);
  });
});

describe('the certificates of a cluster', () => {
  const inside = [
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.corp.local',
    'apiserver-external',
    'apiserver-external.cluster-web',
    'apiserver-external.cluster-web.svc',
    'apiserver-external.cluster-web.svc.cluster.local',
  ];
  const network = { services: ['10.240.16.0/20'], dnsDomain: 'corp.local', agentIP: '100.64.30.10' };
  const host = `web.seed.${base}`;

  it('behind the tunnel have its names, and only the API server the address of the node agent', () => {
    const cluster = { exposeStrategy: 'Tunneling', network } as const;
    const api = certificate({ cluster }, 'apiserver-web');
    assert.deepEqual(api.dnsNames, [host, ...inside]);
    assert.deepEqual(api.ips, ['10.240.16.1', '127.0.0.1', '100.64.30.10']);
    assert.deepEqual([api.issuer, api.place, api.clusters], ['cluster-ca', 'seed/seed/gateway', ['web']]);
    const konnectivity = certificate({ cluster }, 'konnectivity-web');
    assert.deepEqual(konnectivity.dnsNames, [host, `konnectivity-server.${host}`]);
    assert.deepEqual(konnectivity.ips, ['10.240.16.1', '127.0.0.1']);
  });

  it('with node ports have the addresses of the gateway', () => {
    const { ips, dnsNames } = certificate({ cluster: { exposeStrategy: 'NodePort', network } }, 'apiserver-web');
    assert.deepEqual(ips, ['10.240.16.1', '127.0.0.1', '192.0.2.20']);
    assert.equal(dnsNames[0], host);
  });

  it('with a load balancer have its addresses or its name, and no name below the seed', () => {
    const drawn = certificate({ cluster: { exposeStrategy: 'LoadBalancer', network } }, 'apiserver-web');
    assert.deepEqual([drawn.ips, drawn.dnsNames], [['10.240.16.1', '127.0.0.1', '203.0.113.7'], inside]);
    assert.equal(drawn.place, 'seed/seed/load-balancers');
    const named = { exposeStrategy: 'LoadBalancer', network, loadBalancerHostname: 'lb.cloud.example.net' } as const;
    assert.deepEqual(certificate({ cluster: named }, 'apiserver-web').dnsNames, ['lb.cloud.example.net', ...inside]);
  });

  it('with two families have the first service address of each, and both loopbacks', () => {
    const dual: Cluster['spec']['network'] = { ipFamily: 'IPv4+IPv6', services: ['10.240.16.0/20', 'fd03::/108'] };
    const cluster = { exposeStrategy: 'Tunneling', network: dual } as const;
    assert.deepEqual(certificate({ cluster }, 'konnectivity-web').ips, ['10.240.16.1', 'fd03::1', '127.0.0.1', '::1']);
  });

  it('say that somebody else issues them where somebody else runs the control plane', () => {
    const external = { apiServer: ['10.0.0.1:6443'], konnectivity: ['10.0.0.1:8132'] };
    assert.match(
      certificate({ cluster: { controlPlane: { external } } }, 'apiserver-web').issuedBy,
      /runs the control plane/,
    );
  });
});
