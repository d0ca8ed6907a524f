// Controller manager and scheduler: loops that only talk to the API server.
import { parseCidr } from '../../core/ip.ts';
import type { ComponentSpec } from '../component.ts';
import type { ControlPlaneInput } from '../control-plane.ts';
import type { Pair, PkiFiles } from '../pki/pki.ts';
import { type Flags, flagsOf, leastTls, loopback } from './flags.ts';
import { kubeconfigFile } from './kubeconfig-file.ts';

export function controllerManager(input: ControlPlaneInput, pki: PkiFiles): ComponentSpec {
  return loop(input, pki, {
    name: 'kube-controller-manager',
    port: input.ports.controllerManager,
    user: pki.controllerManager,
    flags: {
      controllers: ['*', 'bootstrapsigner', 'tokencleaner'],
      'use-service-account-credentials': true,
      // Otherwise it ends when the API server answers before its own rules are loaded.
      'authentication-tolerate-lookup-failure': true,
      'service-account-private-key-file': pki.serviceAccount.privateKey,
      'root-ca-file': pki.ca.cert,
      'cluster-signing-cert-file': pki.ca.cert,
      'cluster-signing-key-file': pki.ca.key,
      'cluster-name': input.cluster,
      'service-cluster-ip-range': input.network.services,
      ...nodeNetworks(input.network.pods),
    },
  });
}

export const scheduler = (input: ControlPlaneInput, pki: PkiFiles): ComponentSpec =>
  loop(input, pki, { name: 'kube-scheduler', port: input.ports.scheduler, user: pki.scheduler, flags: {} });

interface Loop {
  readonly name: 'kube-controller-manager' | 'kube-scheduler';
  readonly port: number;
  readonly user: Pair;
  readonly flags: Flags;
}

function loop(input: ControlPlaneInput, pki: PkiFiles, { name, port, user, flags }: Loop): ComponentSpec {
  const kubeconfig = kubeconfigFile(input, name, pki.ca, user);
  return {
    scope: `cluster/${input.cluster}`,
    name,
    program: { name, version: input.kubernetesVersion },
    args: flagsOf({
      kubeconfig: kubeconfig.path,
      'authentication-kubeconfig': kubeconfig.path,
      'authorization-kubeconfig': kubeconfig.path,
      'bind-address': loopback,
      'secure-port': port,
      'tls-cert-file': pki.loopback.cert,
      'tls-private-key-file': pki.loopback.key,
      'tls-min-version': leastTls,
      // There is one of it, and the driver sees to that; after a crash nobody waits for a lease to end.
      'leader-elect': false,
      profiling: false,
      ...flags,
    }),
    files: [kubeconfig],
    directories: [input.home.config],
    needs: ['kube-apiserver'],
    probe: { kind: 'http', url: `https://${loopback}:${port}/healthz`, tls: { ca: pki.ca.cert } },
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
