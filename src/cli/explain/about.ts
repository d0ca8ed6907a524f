/** What each document is, in a sentence or two. */
export const aboutOf: Readonly<Record<string, string>> = {
  Platform:
    'The installation as a whole: its domain, its users, the master cluster, and what everything below it inherits. There is exactly one.',
  Seed: 'A cluster that hosts control planes. Its gateway is where users and workers reach them.',
  Datacenter: 'A place where workers run: a provider, a network, and the seed that hosts the control planes.',
  Cluster: 'A user cluster: its API server, etcd and konnectivity server run in a seed, its workers in a datacenter.',
  AddressPool: 'Virtual IPs to draw from: for the ingress, gateways and control planes of a seed, or for applications.',
  Lock: 'What was chosen once and must never move: causeway.lock.yaml, written by "causeway plan --lock".',
  Plan: 'Everything that follows from the manifests: what "causeway plan -o json" prints and every artefact is made of.',
};
