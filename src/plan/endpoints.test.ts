import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cluster, Seed } from '../model/schema/index.ts';
import { endpointOf } from './endpoints.ts';
import { oneCluster, type Specs } from './testing/one-cluster.ts';

const endpoint = (specs?: Specs) => endpointOf(oneCluster(specs));
const host = 'web.west.kubermatic.example.com';
const lock = (specs: Specs) =>
  endpointOf(oneCluster(specs, { pools: {}, nodePorts: { west: { web: { apiServer: 31234, konnectivity: 31235 } } } }));
const gateway = (more: Partial<Seed['spec']['gateway']>): Partial<Seed['spec']> => ({
  gateway: { address: { ips: ['192.0.2.20'] }, ...more },
});
const tunneling = { exposeStrategy: 'Tunneling' } as const;
const balanced = (more: Partial<Cluster['spec']> = {}): Specs => ({
  cluster: { exposeStrategy: 'LoadBalancer', ...more },
});

describe('a NodePort cluster', () => {
  it('is found at the gateway by its own two ports', () => {
    const { externalName, apiServer, konnectivity, kubeconfigServer } = lock({});
    assert.equal(externalName, host);
    assert.deepEqual(apiServer, { host, port: 31234 });
    assert.deepEqual(konnectivity, { host, port: 31235 });
    assert.equal(kubeconfigServer, `https://${host}:31234`);
  });

  it('has the address of the gateway behind its kubernetes service', () => {
    assert.deepEqual(lock({}).kubernetesService, { addresses: ['192.0.2.20'], port: 31234 });
  });

  it('has no address there while the gateway has only a name', () => {
    const { kubernetesService, apiServerFlags } = lock({ seed: gateway({ address: { hostname: 'lb.example.net' } }) });
    assert.deepEqual(kubernetesService, { addresses: [], port: 31234 });
    assert.equal(Object.hasOwn(apiServerFlags, 'advertise-address'), false);
  });

  it('is told to its API server by flags', () => {
    assert.deepEqual(lock({}).apiServerFlags, {
      'endpoint-reconciler-type': 'none',
      'service-cluster-ip-range': '10.240.16.0/20',
      'external-hostname': host,
      'advertise-address': '192.0.2.20',
      'secure-port': '31234',
    });
  });

  it('has no tunnel', () => {
    assert.equal(endpoint().tunnel, undefined);
  });
});

describe('a LoadBalancer cluster', () => {
  it('is pending until its address exists', () => {
    const { externalName, apiServer, konnectivity, kubeconfigServer, kubernetesService, apiServerFlags } = lock(
      balanced(),
    );
    assert.deepEqual([externalName, apiServer.host, konnectivity.host, kubeconfigServer], [null, null, null, null]);
    assert.deepEqual(kubernetesService, { addresses: [], port: 31234 });
    assert.equal(Object.hasOwn(apiServerFlags, 'external-hostname'), false);
  });

  it('is found at its own address', () => {
    const { apiServer, kubeconfigServer, kubernetesService } = lock(balanced({ loadBalancerIPs: ['192.0.2.99'] }));
    assert.deepEqual(apiServer, { host: '192.0.2.99', port: 31234 });
    assert.equal(kubeconfigServer, 'https://192.0.2.99:31234');
    assert.deepEqual(kubernetesService.addresses, ['192.0.2.99']);
  });

  it('is found by the name that a cloud gave', () => {
    const { externalName, kubeconfigServer } = lock(balanced({ loadBalancerHostname: 'lb-7.cloud.example.net' }));
    assert.equal(externalName, 'lb-7.cloud.example.net');
    assert.equal(kubeconfigServer, 'https://lb-7.cloud.example.net:31234');
  });

  it('with an IPv6 address has it in brackets in URLs only', () => {
    const { apiServer, kubeconfigServer } = lock(balanced({ loadBalancerIPs: ['2001:db8::7'] }));
    assert.equal(apiServer.host, '2001:db8::7');
    assert.equal(kubeconfigServer, 'https://[2001:db8::7]:31234');
  });
});

describe('a Tunneling cluster', () => {
  it('is found by name at the split ports: SNI on one, the tunnel on the other', () => {
    const { apiServer, konnectivity, tunnel } = endpoint({ cluster: tunneling });
    assert.deepEqual(apiServer, { host, port: 6443, sni: host });
    assert.deepEqual(konnectivity, {
      host: `konnectivity-server.${host}`,
      port: 6443,
      sni: `konnectivity-server.${host}`,
    });
    assert.equal(tunnel?.port, 8088);
  });

  it('needs one port only where its workers use the single one', () => {
    const { apiServer, konnectivity, tunnel } = endpoint({
      seed: gateway({ offers: ['split', 'single'] }),
      cluster: { ...tunneling, workers: { entry: 'single' } },
    });
    assert.deepEqual([apiServer.port, konnectivity.port, tunnel?.port], [443, 443, 443]);
  });

  it('is found by users on the split port where that is offered, whatever its workers use', () => {
    const single = { ...tunneling, workers: { entry: 'single' as const } };
    const both = endpoint({ seed: gateway({ offers: ['split', 'single'] }), cluster: single });
    const only = endpoint({ seed: gateway({ offers: ['single'] }), cluster: single });
    assert.equal(both.kubeconfigServer, `https://${host}:6443`);
    assert.equal(only.kubeconfigServer, `https://${host}:443`);
  });

  it('follows the ports of its gateway', () => {
    const ports = { sni: 7443, tunnel: 7088, single: 8443 };
    const { apiServer, tunnel } = endpoint({ seed: gateway({ ports }), cluster: tunneling });
    assert.deepEqual([apiServer.port, tunnel?.port], [7443, 7088]);
  });

  it('has the node agent behind its kubernetes service', () => {
    const { kubernetesService, apiServerFlags } = endpoint({
      cluster: { ...tunneling, network: { agentIP: '192.168.30.10' } },
    });
    assert.deepEqual(kubernetesService, { addresses: ['192.168.30.10'], port: 6443 });
    assert.equal(apiServerFlags['advertise-address'], '192.168.30.10');
    assert.equal(apiServerFlags['secure-port'], '6443');
  });

  it('needs no node ports', () => {
    assert.equal(oneCluster({ cluster: tunneling }).nodePorts, undefined);
  });
});

describe('the tunnel', () => {
  const tunnelOf = (authentication?: 'token' | 'certificate' | 'none', entry?: 'single') =>
    endpoint({
      seed: gateway({ offers: ['split', 'single'], tunnelAuthentication: authentication }),
      cluster: { ...tunneling, workers: { entry } },
    }).tunnel;

  it('has a reserved name, TLS and a token', () => {
    assert.deepEqual(tunnelOf(), {
      host: 'tunnel.west.kubermatic.example.com',
      port: 8088,
      sni: 'tunnel.west.kubermatic.example.com',
      authority: 'apiserver-external.cluster-web.svc.cluster.local:443',
      tls: true,
      authentication: 'token',
      agentIP: '100.64.30.10',
    });
  });

  it('is cleartext at the cluster’s own name for agents that show nothing', () => {
    const tunnel = tunnelOf('none');
    assert.equal(tunnel?.tls, false);
    assert.equal(tunnel?.host, host);
    assert.equal(Object.hasOwn(tunnel ?? {}, 'sni'), false);
  });

  it('is TLS on the single port even then, because only its name tells it apart', () => {
    const tunnel = tunnelOf('none', 'single');
    assert.equal(tunnel?.tls, true);
    assert.equal(tunnel?.sni, 'tunnel.west.kubermatic.example.com');
  });

  it('asks for the authority in the seed, whatever the domain inside the cluster', () => {
    const { tunnel } = endpoint({ cluster: { ...tunneling, network: { dnsDomain: 'k8s.internal' } } });
    assert.equal(tunnel?.authority, 'apiserver-external.cluster-web.svc.cluster.local:443');
  });
});

it('names follow the DNS name of the seed', () => {
  assert.equal(endpoint({ seed: { dnsName: 'w1' } }).externalName, 'web.w1.kubermatic.example.com');
});

it('both service networks of a dual-stack cluster are told to the API server', () => {
  const flags = endpoint({ cluster: { network: { ipFamily: 'IPv4+IPv6' } } }).apiServerFlags;
  assert.equal(flags['service-cluster-ip-range'], '10.240.16.0/20,fd02::/108');
});
