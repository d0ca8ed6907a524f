// The programs of other projects that we run: what they are for, which versions we are tried with, where they come from.
import { cniPlugins, containerd, envoy, etcd, konnectivity, kubernetes, kwok, versitygw } from './bundles.ts';
import type { Program } from './program.ts';

export const programs = {
  'kube-apiserver': kubernetes('kube-apiserver', 'the API server of a user cluster'),
  'kube-controller-manager': kubernetes('kube-controller-manager', 'the controllers of a user cluster'),
  'kube-scheduler': kubernetes('kube-scheduler', 'the scheduler of a user cluster'),
  kubectl: { ...kubernetes('kubectl', 'the client people use'), versionArguments: ['version', '--client'] },
  kubelet: kubernetes('kubelet', 'the agent of Kubernetes on a worker'),
  'kube-proxy': kubernetes('kube-proxy', 'service addresses on a worker'),
  kubeadm: { ...kubernetes('kubeadm', 'makes a machine a worker'), versionArguments: ['version', '-o', 'short'] },
  etcd: etcd('etcd', 'server', ['--version'], 'the store behind an API server'),
  etcdctl: etcd('etcdctl', 'etcdctl', ['version'], 'the client of etcd'),
  etcdutl: etcd('etcdutl', 'etcdutl', ['version'], 'etcd’s tool for data that no etcd uses'),
  'konnectivity-server': konnectivity('server', 'the API server’s end of the konnectivity tunnel'),
  'konnectivity-agent': konnectivity('agent', 'the workers’ end of the konnectivity tunnel'),
  envoy,
  kwok,
  versitygw,
  containerd: containerd('containerd', ['--version'], 'the container runtime of a worker'),
  'containerd-shim-runc-v2': containerd('containerd-shim-runc-v2', ['-v'], 'containerd’s parent of a container'),
  ctr: containerd('ctr', ['--version'], 'the client of containerd'),
  bridge: cniPlugins('bridge', 'main', 'CNI plugin: pods on a bridge'),
  'host-local': cniPlugins('host-local', 'ipam', 'CNI plugin: addresses for pods'),
  loopback: cniPlugins('loopback', 'main', 'CNI plugin: lo inside a pod'),
} as const satisfies Record<string, Program>;

export type ProgramName = keyof typeof programs;
export const programNames = Object.keys(programs) as ProgramName[];

/** What tests of the gateway run, and what `causeway programs get` gets when nothing is named. */
export const gatewayPrograms: readonly ProgramName[] = [
  'envoy',
  'etcd',
  'etcdctl',
  'kube-apiserver',
  'kubectl',
  'konnectivity-server',
  'konnectivity-agent',
];
export type { Program } from './program.ts';
export { goCpu, goOs, platformName, thisPlatform } from './program.ts';
