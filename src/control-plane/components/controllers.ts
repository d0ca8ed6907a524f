// Controller manager and scheduler: loops that only talk to the API server.
import { parseCidr } from '../../core/ip.ts';
import { kubeconfigContent } from '../kubeconfig.ts';
import { type PairOf, pkiRefs as pki } from '../pki/pki.ts';
import { bindRef, configRef, type FileRef, type Port, portRef, type Workload, withSecretMounts } from '../workload.ts';
import { type Flags, flagsOf, leastTls } from './flags.ts';
import { type WorkloadInput, workloadNames } from './input.ts';
import { apiServerUrl } from './konnectivity.ts';

export const controllerManager = (input: WorkloadInput): Workload =>
  controller(input, {
    name: workloadNames.controllerManager,
    port: { name: 'https', number: 10257 },
    user: pki.controllerManager,
    flags: {
      controllers: ['*', 'bootstrapsigner', 'tokencleaner'],
      'use-service-account-credentials': true,
      // Otherwise it ends when the API server answers before its own rules are loaded.
      'authentication-tolerate-lookup-failure': true,
      'service-account-private-key-file': pki.serviceAccount.privateKey,
      'root-ca-file': pki.ca.cert,
      ...signing,
      'cluster-name': input.cluster,
      'service-cluster-ip-range': input.network.services,
      ...nodeNetworks(input.network.pods),
    },
    resources: { cpu: '50m', memory: '128Mi' },
  });

/** Kubernetes takes either one authority for all signers, or one for each. */
const signing: Flags = {
  'cluster-signing-kubelet-serving-cert-file': pki.kubeletCa.cert,
  'cluster-signing-kubelet-serving-key-file': pki.kubeletCa.key,
  'cluster-signing-kubelet-client-cert-file': pki.ca.cert,
  'cluster-signing-kubelet-client-key-file': pki.ca.key,
  'cluster-signing-kube-apiserver-client-cert-file': pki.ca.cert,
  'cluster-signing-kube-apiserver-client-key-file': pki.ca.key,
  'cluster-signing-legacy-unknown-cert-file': pki.ca.cert,
  'cluster-signing-legacy-unknown-key-file': pki.ca.key,
};

export const scheduler = (input: WorkloadInput): Workload =>
  controller(input, {
    name: workloadNames.scheduler,
    port: { name: 'https', number: 10259 },
    user: pki.scheduler,
    flags: {},
    resources: { cpu: '20m', memory: '64Mi' },
  });

interface Controller {
  readonly name: 'kube-controller-manager' | 'kube-scheduler';
  readonly port: Port;
  readonly user: PairOf<FileRef>;
  readonly flags: Flags;
  readonly resources: Workload['containers'][number]['resources'];
}

function controller(input: WorkloadInput, { name, port, user, flags, resources }: Controller): Workload {
  const kubeconfig = `${name}.kubeconfig`;
  const health = { kind: 'https', port: port.name, path: '/healthz', ca: pki.ca.cert } as const;
  const container = {
    name,
    program: { name, version: input.kubernetesVersion },
    args: flagsOf({
      kubeconfig: configRef(kubeconfig),
      'authentication-kubeconfig': configRef(kubeconfig),
      'authorization-kubeconfig': configRef(kubeconfig),
      'bind-address': bindRef(port.name),
      'secure-port': portRef(port.name),
      'tls-cert-file': pki.loopback.cert,
      'tls-private-key-file': pki.loopback.key,
      'tls-min-version': leastTls,
      // Where there is one of it, nobody waits for a lease to end after a crash.
      'leader-elect': input.size.controllers > 1,
      profiling: false,
      ...flags,
    }),
    ports: [port],
    mounts: [
      { kind: 'config', name: kubeconfig, content: kubeconfigContent(apiServerUrl, pki.ca.cert, user) },
    ] as const,
    needs: [workloadNames.apiServer],
    probes: { ready: health, live: health },
    resources,
  };
  return {
    name,
    replicas: input.size.controllers,
    stateful: false,
    containers: [withSecretMounts(container)],
    volumes: [],
    ingress: [],
  };
}

/** Each node gets a part of the pods' networks: 24 bits, or 64, or what is there. */
function nodeNetworks(pods: readonly string[]): Flags {
  const networks = pods.map(parseCidr);
  const masks = networks.map(({ family, prefix }) => [
    pods.length > 1 ? `node-cidr-mask-size-ipv${family}` : 'node-cidr-mask-size',
    // Kubernetes counts at most 16 bits of nodes.
    Math.min(Math.max(family === 4 ? 24 : 64, prefix), prefix + 16),
  ]);
  return { 'allocate-node-cidrs': true, 'cluster-cidr': pods, ...Object.fromEntries(masks) };
}
