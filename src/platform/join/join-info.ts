// All that a machine needs to become a worker of a cluster, taken from the plan, with the secrets that let it in.
import { createHash, X509Certificate } from 'node:crypto';
import { clusterDns } from '../../control-plane/index.ts';
import { hostPort, isLoopback, parseHostPort } from '../../core/host-port.ts';
import type { Cluster } from '../../model/schema/index.ts';
import { clusterPlace, workersPlaceOf } from '../../plan/index.ts';
import type { DnsRecord, Endpoint, Flow, Plan, Reachability } from '../../plan/schema/index.ts';
import { settingsOf } from '../../plan/settings/index.ts';
import type { Planned } from '../cluster/cluster-input.ts';

export interface JoinInfo {
  readonly cluster: string;
  readonly kubernetesVersion: string;
  /** host:port that the kubelet dials. */
  readonly apiServer: string;
  /** PEM: whom to believe that it is the API server. */
  readonly ca: string;
  /** The same as kubeadm wants it: sha256:… of its public key. */
  readonly caHash: string;
  /** kubeadm's kind of token. */
  readonly token: string;
  /** Milliseconds. */
  readonly expiresAt: number;
  readonly dns: { readonly servers: readonly string[]; readonly domain: string };
  /** For pods to reach the API server (Tunneling). */
  readonly tunnel?: JoinTunnel;
  /** Between the machine and all that is not its own network. */
  readonly proxy?: { readonly url: string; readonly noProxy: readonly string[] };
  /** Names that the machine must know, and where they lead to. */
  readonly names: readonly { readonly name: string; readonly addresses: readonly string[] }[];
  /** What firewalls must let through. */
  readonly flows: readonly Flow[];
  /** What will keep it from working, for people. */
  readonly warnings: readonly string[];
}

export interface JoinTunnel {
  /** host:port */
  readonly gateway: string;
  /** In the certificate; absent: without TLS. */
  readonly name?: string;
  /** PEM: who vouches for it. */
  readonly ca?: string;
  readonly token?: string;
  readonly authority: string;
  /** Goes through the machine's proxy. */
  readonly byProxy: boolean;
  /** address:port where pods connect to. */
  readonly listen: string;
}

export interface JoinSecrets {
  readonly ca: string;
  readonly token: string;
  readonly expiresAt: number;
  /** With credentials. */
  readonly proxyUrl?: string;
  readonly gatewayCa: string;
  readonly tunnelToken: string;
}

export function joinInfo({ plan, model }: Planned, cluster: Cluster, secrets: JoinSecrets): JoinInfo {
  const { name } = cluster.metadata;
  const [endpoint, ways] = [plan.endpoints[name], plan.proxy.workers[name]];
  if (endpoint === undefined || ways === undefined) throw new TypeError(`${name} is not planned`);
  const { services, dnsDomain } = settingsOf(plan, name);
  const datacenter = model.datacenters.find(({ metadata }) => metadata.name === endpoint.datacenter);
  const from = datacenter && workersPlaceOf(datacenter, cluster.spec.tenant);
  const { ca, token, expiresAt } = secrets;
  const tunnel = tunnelOf(endpoint, ways, secrets);
  const proxy = proxyOf(plan, name, secrets);
  const names = namesOf(plan, ways);
  return {
    cluster: name,
    kubernetesVersion: cluster.spec.kubernetesVersion,
    apiServer: ways.kubelet.target,
    ca,
    caHash: caHash(ca),
    token,
    expiresAt,
    dns: { servers: clusterDns(services), domain: dnsDomain },
    ...(tunnel && { tunnel }),
    ...(proxy && { proxy }),
    names,
    flows: plan.flows.filter((flow) => flow.from === from && flow.clusters.includes(name)),
    warnings: warningsOf(ways, names),
  };
}

/** Of the public key as certificates carry it. */
export function caHash(pem: string): string {
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

function tunnelOf(
  { tunnel, kubernetesService }: Endpoint,
  { nodeAgent }: Reachability,
  secrets: JoinSecrets,
): JoinTunnel | undefined {
  if (tunnel === undefined) return undefined;
  return {
    gateway: hostPort(tunnel.host, tunnel.port),
    ...(tunnel.tls ? { name: tunnel.sni ?? tunnel.host, ca: secrets.gatewayCa } : {}),
    ...(tunnel.authentication === 'token' ? { token: secrets.tunnelToken } : {}),
    authority: tunnel.authority,
    byProxy: nodeAgent?.by === 'proxy-option',
    listen: hostPort(tunnel.agentIP, kubernetesService.port ?? 6443),
  };
}

function proxyOf(plan: Plan, cluster: string, { proxyUrl }: JoinSecrets): JoinInfo['proxy'] {
  const place = plan.proxy.places[clusterPlace(cluster, 'nodes')];
  return place === undefined || proxyUrl === undefined ? undefined : { url: proxyUrl, noProxy: place.noProxy };
}

/** Those that it dials itself; others are the proxy's to know. */
function namesOf(plan: Plan, { kubelet, konnectivityAgent, nodeAgent }: Reachability): JoinInfo['names'] {
  const direct = [kubelet, konnectivityAgent, nodeAgent].filter((way) => way?.by === 'direct');
  const hosts = new Set(direct.map((way) => parseHostPort(way?.target ?? '')?.host ?? ''));
  return [...hosts].flatMap((name) => {
    const record = recordFor(plan, name);
    return record === undefined ? [] : [{ name, addresses: record.addresses }];
  });
}

/** A wildcard stands for names of any depth below it. */
const recordFor = ({ dns }: Plan, name: string): DnsRecord | undefined =>
  dns.records
    .filter((record) => record.name === name || (record.name.startsWith('*.') && name.endsWith(record.name.slice(1))))
    .sort((a, b) => b.name.length - a.name.length)[0];

function warningsOf({ kubelet, pods }: Reachability, names: JoinInfo['names']): string[] {
  const [host, podsTo] = [kubelet, pods].map(({ target }) => parseHostPort(target)?.host ?? '');
  const loopback = [host ?? '', ...names.flatMap(({ addresses }) => addresses)].find(isLoopback);
  return [
    ...(loopback === undefined
      ? []
      : [`${loopback} is an address of the platform’s own machine: no other machine reaches the gateway there`]),
    ...(pods.by === 'direct' && isLoopback(podsTo ?? '')
      ? ['pods will not reach the API server: Kubernetes takes no loopback address for the service "kubernetes"']
      : []),
  ];
}
