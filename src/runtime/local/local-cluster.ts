// One cluster on this machine: where its files are, which ports of loopback it has, and what its workloads are here.
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { ClusterRuntime, Store } from '../../control-plane/index.ts';
import { createFileStore } from './file-store.ts';
import type { ClusterHome, ClusterPlace } from './home.ts';
import { loopbackAddress, resolveWorkloads } from './resolve-workload.ts';

export type LocalCluster = ClusterRuntime & ClusterPlace;

const names = { dnsNames: ['localhost'], ips: ['127.0.0.1', '::1'] };

export const localCluster = (place: ClusterPlace): LocalCluster => ({
  ...place,
  ...keptIn(place.home),
  resolve: (workloads) => resolveWorkloads(workloads, place),
  addressOf: (workload, port) => loopbackAddress(place, workload, port),
  namesOf: () => names,
  async remove() {
    const { root, konnectivitySocket } = place.home;
    for (const own of [root, konnectivitySocket]) rmSync(own, { recursive: true, force: true });
  },
});

/** What is there of a cluster, whether or not it runs. */
export const keptIn = (home: ClusterHome): { readonly store: Store; hasData(): Promise<boolean> } => ({
  store: createFileStore(home),
  hasData: async () => existsSync(path.join(home.etcd, 'member')),
});
