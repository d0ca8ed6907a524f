// What runs the pods of a workload: a StatefulSet or a Deployment, where its pods may stand, and when they are replaced.
import { hash } from 'node:crypto';
import { type Container, sidecarsOf, type Volume, type Workload } from '../../control-plane/index.ts';
import type { KubeObject } from '../../kube/index.ts';
import { configData, configsOf, containerOf, fileVolumesOf } from './container.ts';
import { governingService, labelsOf, metadataOf, type Place, selectorOf, unresolved } from './names.ts';

/** Old revisions are objects of the seed too, and there are many clusters. */
const revisionHistoryLimit = 2;

export function controllerOf(place: Place): KubeObject {
  const { input, workload } = place;
  const spec = {
    replicas: workload.replicas,
    revisionHistoryLimit,
    selector: { matchLabels: selectorOf(input.cluster, workload.name) },
    template: podTemplate(place),
  };
  return {
    apiVersion: 'apps/v1',
    kind: workload.stateful ? 'StatefulSet' : 'Deployment',
    metadata: metadataOf(place, workload.name),
    spec: { ...spec, ...(workload.stateful ? statefulSpec(place) : { strategy: strategyOf(workload) }) },
  };
}

const statefulSpec = ({ input, workload }: Place): object => ({
  serviceName: governingService(workload),
  // The members of a store wait for each other: one after the other would never begin.
  podManagementPolicy: 'Parallel',
  updateStrategy: { type: 'RollingUpdate' },
  persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
  volumeClaimTemplates: workload.volumes.filter(isData).map(({ name, size }) => ({
    metadata: { name, labels: selectorOf(input.cluster, workload.name) },
    spec: {
      accessModes: ['ReadWriteOnce'],
      ...(input.storageClass !== undefined && { storageClassName: input.storageClass }),
      resources: { requests: { storage: sizeOf(workload, name, size) } },
    },
  })),
});

const isData = ({ kind }: Volume): boolean => kind === 'data';

function sizeOf(workload: Workload, volume: string, size: string | undefined): string {
  if (size === undefined) throw unresolved(workload.name, `its volume ${volume} has no size`);
  return size;
}

/**
 * The new one comes before the old one goes, so that those who use it always have one. Where nobody does, and one is
 * wanted, two of it at a time would be one too many: controllers without leader election.
 */
const strategyOf = ({ replicas, ingress }: Workload): object =>
  replicas === 1 && ingress.length === 0
    ? { type: 'Recreate' }
    : { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };

/** Of the images' usual user without rights. */
const nobody = 65_532;

function podTemplate(place: Place): object {
  const { input, workload } = place;
  const { pullSecret } = input.images ?? {};
  return {
    metadata: {
      labels: labelsOf(input, workload.name),
      annotations: { 'causeway.dev/restart-checksum': restartChecksum(place) },
    },
    spec: {
      // None of them asks the API server of the seed.
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...(pullSecret !== undefined && { imagePullSecrets: [{ name: pullSecret }] }),
      securityContext: {
        runAsNonRoot: true,
        runAsUser: nobody,
        runAsGroup: nobody,
        fsGroup: nobody,
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      },
      terminationGracePeriodSeconds: graceSeconds(workload),
      ...(workload.replicas > 1 && placement(place)),
      ...containersOf(place),
      volumes: [
        ...workload.containers.flatMap(fileVolumesOf),
        ...workload.volumes.flatMap((volume) => emptyVolume(workload, volume)),
      ],
    },
  };
}

/**
 * Sidecars start before the workload and end after it, so that what it does in its last seconds still finds them; except
 * those that need it first.
 */
function containersOf(place: Place): object {
  const [main] = place.workload.containers;
  const sidecars = sidecarsOf(place.workload);
  if (main === undefined) throw unresolved(place.workload.name, 'it has no container');
  const needsMain = ({ needs = [] }: Container): boolean => needs.includes(main.name);
  const before = sidecars.filter((sidecar) => !needsMain(sidecar));
  return {
    ...(before.length > 0 && {
      initContainers: before.map((sidecar) => ({ ...containerOf(place, sidecar), restartPolicy: 'Always' })),
    }),
    containers: [main, ...sidecars.filter(needsMain)].map((container) => containerOf(place, container)),
  };
}

/** Sidecars end after the workload, one after the other. */
const graceSeconds = ({ containers }: Workload): number =>
  containers.map(({ stopMs = 10_000 }) => Math.ceil(stopMs / 1000)).reduce((sum, seconds) => sum + seconds, 0);

function emptyVolume({ name: workload, stateful }: Workload, { name, kind }: Volume): object[] {
  if (kind === 'logs') return [{ name, emptyDir: {} }];
  if (kind === 'sockets') return [{ name, emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } }];
  if (!stateful) throw unresolved(workload, `its volume ${name} keeps data, and only stateful workloads keep theirs`);
  return [];
}

/** Of what containers read once only: another value is another pod. Files that are read again change under it. */
function restartChecksum(place: Place): string {
  const read = place.workload.containers.map((container) => {
    const contents = configData(place, container);
    const once = configsOf(container).filter(({ reloads = false }) => !reloads);
    return [container.name, once.map(({ name }) => [name, contents[name]]), container.restartOn ?? {}];
  });
  return hash('sha256', JSON.stringify(read));
}

/** Members of a store on one node are lost together; of others, better two on one node than one. */
function placement({ input, workload }: Place): object {
  const labelSelector = { matchLabels: selectorOf(input.cluster, workload.name) };
  const spread = (topologyKey: string): object => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector,
    // Otherwise pods that are about to go count.
    ...(!workload.stateful && { matchLabelKeys: ['pod-template-hash'] }),
  });
  const host = 'kubernetes.io/hostname';
  const zones = spread('topology.kubernetes.io/zone');
  if (!workload.stateful) return { topologySpreadConstraints: [zones, spread(host)] };
  const apart = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: host, labelSelector }] };
  return { affinity: { podAntiAffinity: apart }, topologySpreadConstraints: [zones] };
}

/** At most one is away by intent: of three members of a store two remain, and of two servers one. */
export const disruptionBudgetOf = (place: Place): KubeObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: metadataOf(place, place.workload.name),
  spec: {
    maxUnavailable: 1,
    selector: { matchLabels: selectorOf(place.input.cluster, place.workload.name) },
    // A server that is not ready serves nobody, and must not keep its node from being drained; a member may hold data.
    unhealthyPodEvictionPolicy: place.workload.stateful ? 'IfHealthyBudget' : 'AlwaysAllow',
  },
});
