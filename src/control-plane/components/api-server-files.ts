// What the API server reads besides its flags.
import type { PodSecurity } from '../../model/schema/index.ts';
import type { Ref, Tree } from '../workload.ts';
import type { WorkloadInput } from './input.ts';

/** Everything that is in the cluster's network is reached through the konnectivity server's socket. */
export const egressSelector = (socket: Ref): Tree => ({
  apiVersion: 'apiserver.k8s.io/v1beta1',
  kind: 'EgressSelectorConfiguration',
  egressSelections: [
    {
      name: 'cluster',
      connection: { proxyProtocol: 'GRPC', transport: { uds: { udsName: socket } } },
    },
  ],
});

/**
 * What namespaces enforce that say nothing themselves. What runs in kube-system is the cluster's own: pod networks and
 * konnectivity agents are on the network of their node.
 */
export const admission = (level: PodSecurity): Tree => ({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AdmissionConfiguration',
  plugins: [
    {
      name: 'PodSecurity',
      configuration: {
        apiVersion: 'pod-security.admission.config.k8s.io/v1',
        kind: 'PodSecurityConfiguration',
        defaults: {
          ...{ enforce: level, 'enforce-version': 'latest' },
          ...{ audit: level, 'audit-version': 'latest' },
          ...{ warn: level, 'warn-version': 'latest' },
        },
        exemptions: { usernames: [], runtimeClasses: [], namespaces: ['kube-system'] },
      },
    },
  ],
});

/** What somebody without a name may read: how the server is, and what a worker that joins checks its token against. */
const openPaths = [
  '/healthz',
  '/livez',
  '/readyz',
  '/version',
  '/api/v1/namespaces/kube-public/configmaps/cluster-info',
];

export const authentication = ({ oidc, kubernetesVersion }: WorkloadInput): Tree => ({
  apiVersion: `apiserver.config.k8s.io/${minorOf(kubernetesVersion) >= 34 ? 'v1' : 'v1beta1'}`,
  kind: 'AuthenticationConfiguration',
  anonymous: { enabled: true, conditions: openPaths.map((path) => ({ path })) },
  jwt: oidc === undefined ? [] : [issuer(oidc)],
});

/** The prefix keeps a provider from naming somebody system:something. */
const issuer = ({ issuer: url, clientId, ca }: NonNullable<WorkloadInput['oidc']>): Tree => ({
  issuer: { url, audiences: [clientId], ...(ca === undefined ? {} : { certificateAuthority: ca }) },
  claimMappings: { username: { claim: 'email', prefix: 'oidc:' }, groups: { claim: 'groups', prefix: 'oidc:' } },
});

export const minorOf = (version: string): number => Number(version.split('.')[1]);

const systemUsers = ['system:kube-controller-manager', 'system:kube-scheduler', 'system:apiserver', 'causeway'];

/** Who did what to what: no bodies, so no secrets; nothing of what programs ask all day, except for secrets. */
export const auditPolicy: Tree = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'None', nonResourceURLs: ['/healthz*', '/livez*', '/readyz*', '/version', '/openapi*'] },
    // Whoever reads one is written down, also a program of the cluster itself.
    { level: 'Metadata', resources: [{ group: '', resources: ['secrets'] }] },
    { level: 'None', resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }] },
    { level: 'None', resources: [{ group: '', resources: ['events'] }] },
    { level: 'None', users: systemUsers, verbs: ['get', 'list', 'watch'] },
    {
      level: 'None',
      userGroups: ['system:nodes', 'system:serviceaccounts:kube-system'],
      verbs: ['get', 'list', 'watch'],
    },
    { level: 'Metadata' },
  ],
};
