// Name resolution, changing the zone, and proving a domain.
import type { Platform } from '../../model/schema/index.ts';
import type { PlanContext } from '../context.ts';
import * as id from '../places/ids.ts';
import { remoteOfEndpoint } from '../places/remote.ts';
import { usesOf, type WorkerSite } from '../places/uses.ts';
import { ingressHttpPortOf } from '../ports.ts';
import type { Draft, FlowList } from './flow-list.ts';

/** Answers that do not fit into a datagram come by TCP, so a resolver needs both. */
function addDns(list: FlowList, draft: Omit<Draft, 'protocol' | 'ports'>, port = 53): void {
  list.add({ ...draft, protocol: 'udp', ports: [port] });
  list.add({ ...draft, protocol: 'tcp', ports: [port] });
}

export function addNames(list: FlowList, ctx: PlanContext): void {
  const { seeds, datacenters } = usesOf(ctx);
  const reason = 'Nodes and pods resolve names, those of the platform among them.';
  const resolve = { to: id.resolvers, reason, requirement: 'INF-9' };
  addDns(list, { from: id.masterNodes, ...resolve });
  for (const { seed } of seeds) addDns(list, { from: id.seedPlace(seed.metadata.name, 'nodes'), ...resolve });
  for (const { sites } of datacenters)
    for (const site of sites) addDns(list, { ...resolve, ...resolvingWorkers(site) });
  addZone(list, ctx);
  addChallenges(list, ctx);
}

/** OpenStack networks name their DNS servers themselves, and the catalogue has a row of its own for that. */
const resolvingWorkers = ({ datacenter, network, members }: WorkerSite) => ({
  from: network.place,
  to: network.resolvers,
  ...(datacenter.spec.provider.openstack === undefined ? {} : { requirement: 'OS-8' }),
  members,
});

function addZone(list: FlowList, { model }: PlanContext): void {
  const { access, dns } = model.platform.spec;
  if (access?.installer !== undefined) {
    addDns(list, {
      from: id.installer,
      to: id.resolvers,
      reason: 'The installer resolves names, those of the platform among them.',
      requirement: 'INF-9',
    });
    if (isChangedBySpeakingDns(dns))
      addDns(list, {
        from: id.installer,
        to: id.authoritative,
        reason: 'Records are changed and checked.',
        requirement: 'ACC-6',
      });
  }
  if (dns?.externalDNS === true && dns.provider === 'rfc2136')
    addDns(list, {
      from: id.masterNodes,
      to: id.authoritative,
      reason: 'external-dns writes records.',
      requirement: 'DNS-13',
    });
}

/** Providers, as external-dns and cert-manager name them, that are called by HTTPS: the allow-list has their hosts. */
const apiProviders = new Set(
  'akamai aws azure azuredns azure-private-dns civo clouddns cloudflare designate digitalocean dnsimple exoscale gandi godaddy google infoblox inwx ionos linode ns1 oci ovh route53 scaleway webhook'.split(
    ' ',
  ),
);
const isApi = (provider: string): boolean => apiProviders.has(provider.toLowerCase());

/** By RFC 2136 or a zone file; where nobody says how, servers that are named are meant to be spoken to. */
function isChangedBySpeakingDns(dns: Platform['spec']['dns']): boolean {
  const { provider = '', authoritative = [] } = dns ?? {};
  if (isApi(provider)) return false;
  return provider === 'rfc2136' || provider.startsWith('zone') || authoritative.length > 0;
}

function addChallenges(list: FlowList, { model: { platform } }: PlanContext): void {
  const { acmeHTTP01, acmeDNS01 } = platform.spec.certificates ?? {};
  if (acmeHTTP01 !== undefined)
    list.add({
      from: id.internet,
      to: id.masterIngress,
      ports: [ingressHttpPortOf(platform)],
      reason: 'The ACME server fetches the HTTP-01 challenge.',
      requirement: 'EGR-12',
    });
  if (acmeDNS01?.nameserver !== undefined && !isApi(acmeDNS01.provider)) {
    const { port } = remoteOfEndpoint(acmeDNS01.nameserver);
    const reason = 'cert-manager writes the DNS-01 challenge.';
    addDns(list, { from: id.masterNodes, to: id.authoritative, reason, requirement: 'CRT-11' }, port);
  }
}
