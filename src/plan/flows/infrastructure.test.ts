// Flows beside the port table: each names a row of its own.
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Platform, Seed } from '../../model/schema/index.ts';
import { flowsOf, linesFor } from '../testing/flows-of.ts';
import {
  awsProvider,
  sampleCluster,
  sampleDatacenter,
  sampleModel,
  samplePlatform,
  sampleSeed,
  vsphereProvider,
} from '../testing/sample-model.ts';

const withPlatform = (spec: Partial<Platform['spec']>) => flowsOf(sampleModel({ platform: samplePlatform(spec) }));
const withSeed = (spec: Partial<Seed['spec']>) => flowsOf(sampleModel({ seeds: [sampleSeed('west', spec)] }));
const bgp = { asn: 64512, peers: [{ address: '10.1.0.1', asn: 64513 }] };

test('NET-3 and WRK-1: nodes of a cluster reach each other by every protocol', () => {
  const flows = flowsOf(sampleModel());
  deepEqual(linesFor(flows, 'NET-3'), ['master/nodes → master/nodes any', 'seed/west/nodes → seed/west/nodes any']);
  deepEqual(linesFor(flows, 'WRK-1'), ['datacenter/dc1/workers → datacenter/dc1/workers any']);
});

test('WRK-1 tells the transports of the network plugins in use', () => {
  const clusters = [sampleCluster('a'), sampleCluster('b', { network: { cni: 'calico' } })];
  const reason = flowsOf(sampleModel({ clusters })).find((flow) => flow.requirement === 'WRK-1')?.reason ?? '';
  ok(reason.includes('udp/8472') && reason.includes('udp/4789'), reason);
});

test('INF-9: nodes resolve names by UDP and TCP; OpenStack workers do so for their own row', () => {
  const scope = {
    region: 'r',
    availabilityZones: ['a'],
    domain: 'd',
    projectName: 'p',
    projectID: 'i',
    floatingIPPool: 'f',
  };
  const network = { name: 'n', cidr: '10.2.0.0/24', subnetID: 's' };
  const management = { ...scope, credentials: { rcFile: 'rc' }, network, dnsServers: ['10.2.0.53'] };
  const provider = {
    openstack: {
      authURL: 'https://keystone.example.com:5000',
      serviceEndpoints: ['nova.example.com:8774'],
      management,
    },
  };
  const flows = flowsOf(sampleModel({ datacenters: [sampleDatacenter('dc1', { provider })] }));
  deepEqual(linesFor(flows, 'INF-9'), [
    'master/nodes → dns/resolvers udp 53',
    'master/nodes → dns/resolvers tcp 53',
    'seed/west/nodes → dns/resolvers udp 53',
    'seed/west/nodes → dns/resolvers tcp 53',
  ]);
  deepEqual(linesFor(flows, 'OS-8'), [
    'datacenter/dc1/workers → datacenter/dc1/resolvers udp 53',
    'datacenter/dc1/workers → datacenter/dc1/resolvers tcp 53',
  ]);
  deepEqual(linesFor(flows, 'PRT-7'), ['seed/west/nodes → datacenter/dc1/provider-api tcp 5000,8774']);
});

test('ACC-2: SSH goes through the bastion, and from there to every node', () => {
  const flows = withPlatform({
    access: { installer: { host: '10.3.0.1' }, bastion: { host: '10.3.0.2', port: 2222 } },
  });
  deepEqual(linesFor(flows, 'ACC-2'), [
    'installer → bastion tcp 2222',
    'bastion → master/nodes tcp 22',
    'bastion → seed/west/nodes tcp 22',
  ]);
  deepEqual(linesFor(flows, 'ACC-5'), ['bastion → datacenter/dc1/workers tcp 22']);
  deepEqual(linesFor(flows, 'ACC-1'), []);
});

test('ACC-1 and INT-10: without a bastion the installer reaches the nodes itself', () => {
  const platform = samplePlatform({ access: { installer: { host: '10.3.0.1' } } });
  const flows = flowsOf(sampleModel({ platform, datacenters: [sampleDatacenter('dc1', { integration: 'II' })] }));
  deepEqual(linesFor(flows, 'ACC-1'), ['installer → master/nodes tcp 22', 'installer → seed/west/nodes tcp 22']);
  deepEqual(linesFor(flows, 'INT-10'), ['installer → datacenter/dc1/workers tcp 22']);
});

test('ACC-3, ACC-4, ACC-6: the installer reaches providers, entries and DNS servers', () => {
  const access = { installer: { host: '10.3.0.1' } };
  const platform = samplePlatform({ access, dns: { provider: 'rfc2136' } });
  const datacenters = [sampleDatacenter('dc1', { provider: vsphereProvider() })];
  const flows = flowsOf(sampleModel({ platform, datacenters }));
  deepEqual(linesFor(flows, 'ACC-3'), ['installer → datacenter/dc1/provider-api tcp 443']);
  deepEqual(linesFor(flows, 'ACC-4'), [
    'installer → master/api tcp 6443',
    'installer → master/ingress tcp 443',
    'installer → seed/west/api tcp 6443',
    'installer → seed/west/gateway tcp 30000-32767',
  ]);
  deepEqual(linesFor(flows, 'ACC-6'), ['installer → dns/authoritative udp 53', 'installer → dns/authoritative tcp 53']);
});

test('ACC-6: DNS servers of the zone are spoken to only where no API changes the zone', () => {
  const access = { installer: { host: '10.3.0.1' } };
  const asked = (dns: Platform['spec']['dns']) => linesFor(withPlatform({ access, dns }), 'ACC-6').length > 0;
  const authoritative = ['ns1.example.com'];
  for (const provider of ['aws', 'azure', 'google', 'cloudflare', 'designate', 'route53'])
    equal(asked({ provider, authoritative }), false, provider);
  for (const provider of ['rfc2136', 'zone file, by hand']) ok(asked({ provider }), provider);
  ok(asked({ authoritative }));
  equal(asked({}), false);
});

test('CFG-1 and CFG-2: repository and key store are reached on the ports of their addresses', () => {
  const keyStore = { vault: { address: 'https://vault.example.com:8200' } };
  const flows = withPlatform({ configRepository: { url: 'git@git.example.com:a/b.git', keyStore } });
  deepEqual(linesFor(flows, 'CFG-1'), ['installer → config-repository tcp 22']);
  deepEqual(linesFor(flows, 'CFG-2'), ['installer → key-store tcp 8200']);
  const overHttps = withPlatform({
    configRepository: { url: 'https://git.example.com/a/b.git', keyStore: { gitCrypt: true } },
  });
  deepEqual(linesFor(overHttps, 'CFG-1'), ['installer → config-repository tcp 443']);
  deepEqual(linesFor(overHttps, 'CFG-2'), []);
});

test('EGR-12: HTTP-01 lets the internet in on port 80 of the ingress; DNS-01 does not', () => {
  const inbound = (certificates: Platform['spec']['certificates']) =>
    linesFor(withPlatform({ certificates }), 'EGR-12').filter((text) => text.startsWith('internet'));
  deepEqual(inbound({ acmeHTTP01: {} }), ['internet → master/ingress tcp 80']);
  deepEqual(inbound({ acmeDNS01: { provider: 'rfc2136', nameserver: '10.0.0.53:5353' } }), []);
});

test('CRT-11: DNS-01 by RFC 2136 writes to the name server on its port', () => {
  const flows = withPlatform({ certificates: { acmeDNS01: { provider: 'rfc2136', nameserver: '10.0.0.53:5353' } } });
  deepEqual(linesFor(flows, 'CRT-11'), [
    'master/nodes → dns/authoritative udp 5353',
    'master/nodes → dns/authoritative tcp 5353',
  ]);
});

test('CRT-11: a provider with an API is not spoken to by DNS', () => {
  const acmeDNS01 = { provider: 'route53', nameserver: '10.0.0.53:53' };
  ok(withPlatform({ certificates: { acmeDNS01 } }).every((flow) => flow.to !== 'dns/authoritative'));
});

test('AUT-1: API servers in the seeds reach Dex behind the ingress', () => {
  const flows = withPlatform({ authentication: { dex: { passwordDB: true } } });
  deepEqual(linesFor(flows, 'AUT-1'), [
    'master/nodes → master/ingress tcp 443',
    'seed/west/nodes → master/ingress tcp 443',
  ]);
});

test('AUT-2: Dex reaches its connector; browsers too, unless it is a directory', () => {
  const connected = (type: 'ldap' | 'oidc', endpoint: string) =>
    linesFor(
      withPlatform({ authentication: { dex: { connectors: [{ type, name: 'Corporate', endpoint }] } } }),
      'AUT-2',
    );
  deepEqual(connected('ldap', 'ldap.example.com:636'), ['master/nodes → identity-provider tcp 636']);
  deepEqual(connected('oidc', 'sso.example.com:443'), [
    'master/nodes → identity-provider tcp 443',
    'users → identity-provider tcp 443',
  ]);
});

test('AUT-5: an own provider is reached by users, platform and API servers', () => {
  const external = { issuer: 'https://sso.example.com:8443/realms/x', clientID: 'c', clientSecret: { env: 'SECRET' } };
  deepEqual(
    new Set(linesFor(withPlatform({ authentication: { external } }), 'AUT-5')),
    new Set([
      'users → identity-provider tcp 8443',
      'master/nodes → identity-provider tcp 8443',
      'seed/west/nodes → identity-provider tcp 8443',
    ]),
  );
});

test('STO-8: snapshots go to the port of the S3 endpoint; MinIO in the seed needs no flow', () => {
  const credentials = { env: 'KEYS' };
  const s3 = withSeed({ backup: { s3: { endpoint: 'https://s3.example.com:9000', bucket: 'b', credentials } } });
  deepEqual(linesFor(s3, 'STO-8'), ['seed/west/nodes → seed/west/backup tcp 9000']);
  const minio = withSeed({ backup: { minio: { storageClass: 'slow', capacityGiB: 10, credentials } } });
  deepEqual(linesFor(minio, 'STO-8'), []);
});

test('BGP-2: announcing nodes and routers reach each other on port 179', () => {
  const flows = withSeed({ loadBalancer: { type: 'metallb', mode: 'BGP', bgp } });
  deepEqual(linesFor(flows, 'BGP-2'), [
    'seed/west/nodes → seed/west/routers tcp 179',
    'seed/west/routers → seed/west/nodes tcp 179',
  ]);
  deepEqual(linesFor(withSeed({ loadBalancer: { type: 'metallb', mode: 'L2' } }), 'BGP-2'), []);
  const workers = [sampleDatacenter('dc1', { loadBalancer: { type: 'cilium', mode: 'BGP', bgp } })];
  deepEqual(linesFor(flowsOf(sampleModel({ datacenters: workers })), 'BGP-2'), [
    'datacenter/dc1/workers → datacenter/dc1/routers tcp 179',
    'datacenter/dc1/routers → datacenter/dc1/workers tcp 179',
  ]);
});

test('LB-4: the KubeLB hub reaches node ports of its tenants, and they reach its API', () => {
  const kubelb = { hub: 'kubelb.example.com', port: 443, networks: ['10.8.0.0/24'] };
  const datacenters = [sampleDatacenter('dc1', { loadBalancer: { type: 'kubelb', kubelb } })];
  deepEqual(linesFor(flowsOf(sampleModel({ datacenters })), 'LB-4'), [
    'datacenter/dc1/workers → datacenter/dc1/kubelb tcp 443',
    'datacenter/dc1/kubelb → datacenter/dc1/workers tcp 30000-32767',
    'datacenter/dc1/kubelb → datacenter/dc1/workers udp 30000-32767',
  ]);
});

test('beneath KubeLB it is the hub that speaks BGP', () => {
  const loadBalancer = { type: 'kubelb' as const, mode: 'BGP' as const, bgp, kubelb: { hub: '10.8.0.1' } };
  deepEqual(linesFor(withSeed({ loadBalancer }), 'BGP-2'), [
    'seed/west/kubelb → seed/west/routers tcp 179',
    'seed/west/routers → seed/west/kubelb tcp 179',
  ]);
});

test('workers call the provider for volumes, except where no API makes the machines', () => {
  const rows = (provider: Parameters<typeof sampleDatacenter>[1]) =>
    flowsOf(sampleModel({ datacenters: [sampleDatacenter('dc1', provider)] }))
      .filter((flow) => flow.from === 'datacenter/dc1/workers' && flow.to === 'datacenter/dc1/provider-api')
      .map((flow) => flow.requirement);
  deepEqual(rows({ provider: vsphereProvider() }), ['VS-1']);
  deepEqual(rows({ provider: awsProvider('eu-central-1') }), ['AWS-3']);
  deepEqual(rows({ provider: { bare: { apiEndpoints: ['ipmi.example.com:443'] } } }), []);
});

test('direct egress names the row of each need, with the hosts in the reason', () => {
  const flows = flowsOf(sampleModel()).filter(
    (flow) => flow.from === 'datacenter/dc1/workers' && flow.to === 'internet',
  );
  const kubelet = flows.find((flow) => flow.requirement === 'EGR-1');
  ok(kubelet?.reason.includes('dl.k8s.io'));
  deepEqual(kubelet?.clusters, ['web']);
  ok(!flows.some((flow) => flow.reason.includes('k8s.gcr.io')), 'retired hosts are not asked for');
});
