// A seed in which pods become ready and nothing runs: a real API server, real controllers and scheduler, nodes of kwok.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { kubeconfigText } from '../../../src/control-plane/kubeconfig.ts';
import { createKubeClient, type KubeClient } from '../../../src/kube/index.ts';
import { stages } from '../../../src/runtime/local/workers/kwok-stages.ts';
import { type Running, run } from '../child-process.ts';
import { freePort } from '../gateway/ports.ts';
import type { Undo } from '../gateway/undo.ts';
import { type Cluster, type Programs, startCluster } from './cluster.ts';

export interface SeedPrograms extends Programs {
  readonly 'kube-controller-manager': string;
  readonly 'kube-scheduler': string;
  readonly kwok: string;
}

export interface Seed {
  readonly client: KubeClient;
  /** What the programs said last, for a test that waited in vain. */
  said(): string;
}

export const storageClass = 'local-disk';

interface Wanted {
  readonly nodes: number;
  /** Volumes of 10Gi. */
  readonly volumes: number;
}

export async function startSeed(t: Undo, programs: SeedPrograms, parent: string, wanted: Wanted): Promise<Seed> {
  const cluster = await startCluster(t, programs, 'seed', parent);
  const client = clientOf(t, cluster);
  const kubeconfig = path.join(cluster.directory, 'kubeconfig');
  const access = { server: `https://${cluster.apiServer.target}` };
  writeFileSync(kubeconfig, kubeconfigText(access, { file: cluster.authority.certFile }, { token: cluster.token }));
  const common = [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0'];
  const running = [
    run(t, { program: programs['kube-controller-manager'], args: common }),
    run(t, { program: programs['kube-scheduler'], args: common }),
    await startKwok(t, programs.kwok, cluster.directory, kubeconfig),
  ];
  await Promise.all([...nodes(wanted.nodes), ...volumes(wanted.volumes)].map((object) => client.apply(object)));
  return { client, said: () => running.map((each) => each.said().slice(-2_000)).join('\n---\n') };
}

export function clientOf(t: Undo, { apiServer, authority, token }: Cluster): KubeClient {
  const client = createKubeClient({ server: `https://${apiServer.target}`, ca: authority.cert, token });
  t.after(client.close);
  return client;
}

async function startKwok(t: Undo, program: string, directory: string, kubeconfig: string): Promise<Running> {
  const config = path.join(directory, 'stages.yaml');
  const port = await freePort();
  const documents = stages({ address: '127.0.0.1', port, kubernetesVersion: '1.36.3' });
  writeFileSync(config, documents.map((document) => `---\n${JSON.stringify(document)}\n`).join(''));
  const args = [
    ...[`--kubeconfig=${kubeconfig}`, `--config=${config}`, '--manage-all-nodes=true', '--node-ip=127.0.0.1'],
    ...[`--server-address=127.0.0.1:${port}`, '--node-lease-duration-seconds=40', '--cidr=10.99.0.1/16'],
  ];
  return run(t, { program, args, env: { HOME: directory, KWOK_WORKDIR: directory } });
}

const nodes = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `node-${at}`,
      labels: { 'kubernetes.io/hostname': `node-${at}`, 'topology.kubernetes.io/zone': `zone-${at % 2}` },
    },
  }));

const volumes = (count: number) => [
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: storageClass },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  },
  ...Array.from({ length: count }, (_, at) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `disk-${at}` },
    spec: {
      capacity: { storage: '10Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: storageClass,
      persistentVolumeReclaimPolicy: 'Retain',
      hostPath: { path: `/disks/${at}` },
    },
  })),
];
