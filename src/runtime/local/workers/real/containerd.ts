// containerd, with its own state and socket, one runtime and pods on a bridge.
import path from 'node:path';
import type { ComponentSpec } from '../../../../control-plane/index.ts';
import { isIPv4 } from './addresses.ts';
import { jsonFile, type WorkerParts, workerComponent } from './parts.ts';

export const pauseImage = 'docker.io/causeway/pause:1';

export function containerd(parts: WorkerParts): ComponentSpec {
  const { root } = parts.layout;
  const config = path.join(root, 'containerd.toml');
  return workerComponent(parts, {
    name: 'containerd',
    command: [parts.programs.containerd, '--config', config],
    files: [
      { path: config, text: configuration(parts) },
      jsonFile(path.join(networkDirectory(root), '10-pods.conflist'), podNetwork(parts)),
    ],
  });
}

const networkDirectory = (root: string): string => path.join(root, 'net.d');

/** Needs nothing that this machine may not have: no systemd, no other file system, no right to be spared by the kernel. */
const configuration = ({ layout: { root }, programs, tools }: WorkerParts): string => `version = 3
root = '${path.join(root, 'containerd')}'
state = '/run/containerd/state'
disabled_plugins = [
  'io.containerd.snapshotter.v1.blockfile', 'io.containerd.snapshotter.v1.btrfs', 'io.containerd.snapshotter.v1.devmapper',
  'io.containerd.snapshotter.v1.erofs', 'io.containerd.snapshotter.v1.zfs', 'io.containerd.nri.v1.nri',
]
[grpc]
  address = '/run/containerd/containerd.sock'
[plugins.'io.containerd.cri.v1.images'.pinned_images]
  sandbox = '${pauseImage}'
[plugins.'io.containerd.cri.v1.runtime']
  restrict_oom_score_adj = true
  netns_mounts_under_state_dir = true
[plugins.'io.containerd.cri.v1.runtime'.cni]
  bin_dirs = [${pluginDirectories(programs).map((directory) => `'${directory}'`)}]
  conf_dir = '${networkDirectory(root)}'
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
  runtime_type = 'io.containerd.runc.v2'
  runtime_path = '${programs['containerd-shim-runc-v2']}'
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
  BinaryName = '${tools.runc}'
  SystemdCgroup = false
`;

const pluginDirectories = (programs: WorkerParts['programs']): string[] => [
  ...new Set((['bridge', 'host-local', 'loopback'] as const).map((plugin) => path.dirname(programs[plugin]))),
];

/** The only worker with pods that run has all of the pod network. */
const podNetwork = ({ input }: WorkerParts): object => ({
  cniVersion: '1.0.0',
  name: 'pods',
  plugins: [
    {
      type: 'bridge',
      bridge: 'pods',
      isGateway: true,
      hairpinMode: true,
      ipam: {
        type: 'host-local',
        dataDir: '/run/containerd/addresses',
        ranges: input.pods.filter(isIPv4).map((subnet) => [{ subnet }]),
        routes: [{ dst: '0.0.0.0/0' }],
      },
    },
  ],
});
