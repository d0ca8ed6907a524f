// All planning rules. A new rule is one function, one line here, and a code in `src/model/planning-codes/`.
import { familyRule, sourceRangesRule } from './address-family.ts';
import { addressSourceRule } from './address-sources.ts';
import { capturedNameRule, sharedNameRule } from './captured-names.ts';
import { acmeOfflineRule, certificateNamesRule, challengeRule, trustRule, wildcardRule } from './certificates.ts';
import { agentIpRule, overlapRule } from './cluster-networks.ts';
import * as dns from './dns.ts';
import { egressProxyRule, offlineMirrorRule, offlineRegistryRule, routeProxyRule } from './egress.ts';
import { decisionRule, editionRule, pullSecretRule, staticUsersRule } from './installation.ts';
import { integrationRule, misspeltSeedRule } from './integration.ts';
import { keepaliveRule } from './keepalive.ts';
import * as balancers from './load-balancers.ts';
import { autoscalerRule, highAvailabilityRule, staticRangeRule, zonesRule } from './management-nodes.ts';
import { clusterNoProxyFormRule, noProxyFormRule, noProxyGatewayRule } from './no-proxy.ts';
import { nodePortCapacityRule, nodePortConflictRule } from './node-ports.ts';
import { poolCapacityRule, poolFamilyRule } from './pool-capacity.ts';
import { poolNodeOverlapRule, poolOverlapRule } from './pool-overlap.ts';
import { poolDhcpRule, poolSegmentRule } from './pool-segment.ts';
import { outdatedToolRule, providerRule } from './providers.ts';
import type { ClusterRule, PlanRule, ScopeRule, WorkerRule } from './rule.ts';
import { backupRule, capacityRule, estimateRule, fastStorageRule } from './storage.ts';
import { tenantOverlapRule, tenantSharedRule } from './tenants.ts';
import * as versions from './versions.ts';
import { lockedAddressRule, virtualIpRule } from './virtual-ips.ts';
import { dhcpRule, podNetworkSizeRule, sharedNodeNetworkRule, subnetSizeRule } from './worker-networks.ts';
import * as route from './worker-route.ts';

/** About the platform as a whole, or about groups of documents. */
export const planRules: readonly PlanRule[] = [
  ...[
    sharedNodeNetworkRule,
    dhcpRule,
    subnetSizeRule,
    staticRangeRule,
    autoscalerRule,
    highAvailabilityRule,
    zonesRule,
  ],
  ...[tenantOverlapRule, tenantSharedRule, nodePortCapacityRule, nodePortConflictRule],
  ...[poolCapacityRule, poolFamilyRule, poolOverlapRule, poolNodeOverlapRule, poolDhcpRule, poolSegmentRule],
  ...[virtualIpRule, lockedAddressRule, addressSourceRule],
  ...[balancers.balancerConflictRule, balancers.balancerModeRule, balancers.balancerMissingRule],
  ...[balancers.bgpPreferredRule, balancers.sharedAddressRule],
  ...[certificateNamesRule, wildcardRule, trustRule, challengeRule, acmeOfflineRule],
  ...[dns.shadowRule, dns.dynamicAddressRule, dns.dnsOwnerRule, dns.seedNameRule, dns.seedDomainRule],
  ...[dns.seedDnsNameRule, capturedNameRule, sharedNameRule],
  ...[route.cleartextRule, route.gatewayPortsRule, noProxyFormRule],
  ...[decisionRule, editionRule, pullSecretRule, staticUsersRule, versions.catalogueRule, versions.retiredSystemRule],
  ...[integrationRule, misspeltSeedRule, providerRule, outdatedToolRule],
  ...[fastStorageRule, capacityRule, backupRule, estimateRule],
];

/** About settings, wherever they hold: master, seeds, workers. */
export const scopeRules: readonly ScopeRule[] = [egressProxyRule, offlineRegistryRule];

/** About the settings of workers. */
export const workerRules: readonly WorkerRule[] = [
  ...[overlapRule, agentIpRule, familyRule, sourceRangesRule, keepaliveRule],
  ...[route.tunnelProxyRule, route.envoyAgentRule, route.podsWayRule, route.entryRule, route.proxyPortRule],
  ...[routeProxyRule, offlineMirrorRule],
];

/** About one cluster. */
export const clusterRules: readonly ClusterRule[] = [
  ...[versions.skewRule, versions.supportedRule, versions.clusterRetiredSystemRule],
  ...[podNetworkSizeRule, dns.clusterNameRule, dns.reservedNameRule, clusterNoProxyFormRule, noProxyGatewayRule],
];
