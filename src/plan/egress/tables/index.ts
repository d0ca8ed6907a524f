// All tables of the allow-list.
import type { Download, Facts } from '../download.ts';
import { certificateServices } from './certificates.ts';
import { identitySources } from './identity.ts';
import { installerDownloads } from './installer.ts';
import { kubeletBinaries } from './kubelet-binaries.ts';
import { kubeOne } from './kubeone.ts';
import { managementComponents } from './management.ts';
import { managementImages } from './management-images.ts';
import { networkPlugins } from './network-plugins.ts';
import { offlineDownloads } from './offline.ts';
import { operatingSystems } from './operating-systems.ts';
import { providerApis, providerImages } from './providers.ts';
import { regionalLayers } from './redirects.ts';
import { retiredWorkerImages, workerImages } from './worker-images.ts';

export { componentBehind, redirects } from './redirects.ts';

const onlineDownloads: readonly Download[] = [
  ...kubeletBinaries,
  ...workerImages,
  ...retiredWorkerImages,
  ...regionalLayers,
  ...networkPlugins,
  ...operatingSystems,
  ...providerApis,
  ...providerImages,
  ...managementImages,
  ...managementComponents,
  ...kubeOne,
  ...certificateServices,
  ...identitySources,
  ...installerDownloads,
];

/** The private registry's list, and the services that it cannot replace. */
const downloadsOffline: readonly Download[] = [
  ...offlineDownloads(onlineDownloads, kubeletBinaries),
  ...onlineDownloads.filter((download) => download.service === true),
];

const parts = (downloads: readonly Download[]) => ({
  all: downloads,
  /** For the workers of a cluster: what depends on versions, and what does not. */
  versioned: downloads.filter((download) => download.versioned === true),
  steady: downloads.filter((download) => download.versioned !== true),
  /** For a management cluster: what it needs itself, and what it needs for each datacenter. */
  own: downloads.filter((download) => download.perDatacenter !== true),
  perDatacenter: downloads.filter((download) => download.perDatacenter === true),
});
export const tables = { online: parts(onlineDownloads), offline: parts(downloadsOffline) };
export const tablesFor = ({ mode }: Facts) => (mode === 'offline' ? tables.offline : tables.online);
