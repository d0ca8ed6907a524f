// The files that a machine gets when it becomes a worker: proxy settings and their drop-ins, the unit of the node agent,
// and the renewal of its token.
import { agentArguments } from '../../agent/index.ts';
import { environmentAssignment, environmentFile, execLine, systemdUnit } from '../../core/systemd.ts';
import type { JoinInfo, JoinTunnel } from '../../platform/index.ts';

export interface JoinFile {
  readonly path: string;
  readonly mode: '0600' | '0644' | '0755';
  readonly text: string;
  /** Units that read it when they start. */
  readonly units: readonly string[];
}

const directory = '/etc/causeway';
const units = '/etc/systemd/system';

/** A link to the program, wherever the machine has it, so that units are the same everywhere. */
export const programLink = `${directory}/causeway`;
export const tokenFile = `${directory}/token`;
export const clusterCaFile = `${directory}/cluster-ca.crt`;
const gatewayCaFile = `${directory}/gateway-ca.crt`;
const proxyFile = `${directory}/proxy.env`;
const agentEnvironmentFile = `${directory}/agent.env`;
const renewalScript = `${directory}/renew-token.sh`;
export const cacheDirectory = '/var/cache/causeway';

type JoinProxy = NonNullable<JoinInfo['proxy']>;

export const proxyVariables = ({ url, noProxy }: JoinProxy): Record<string, string> => ({
  HTTPS_PROXY: url,
  HTTP_PROXY: url,
  NO_PROXY: noProxy.join(','),
});

/** In a file that only root reads, because everybody can ask systemd for what a unit has in Environment=. */
export const proxyFiles = (proxy: JoinProxy): JoinFile[] => {
  const services = ['kubelet', 'containerd'];
  return [
    { path: proxyFile, mode: '0600', text: environmentFile(proxyVariables(proxy)), units: services },
    ...services.map(proxyDropIn),
  ];
};

const proxyDropIn = (service: string): JoinFile => ({
  path: `${units}/${service}.service.d/20-causeway-proxy.conf`,
  mode: '0644',
  text: systemdUnit({ Service: { EnvironmentFile: proxyFile } }),
  units: [service],
});

export const gatewayCaFiles = ({ ca }: JoinTunnel): JoinFile[] =>
  ca === undefined ? [] : [{ path: gatewayCaFile, mode: '0644', text: `${ca.trimEnd()}\n`, units: [agentUnit] }];

/** What the node agent is told, in its unit and when the script tries the way. */
export const agentCommand = ({ cluster }: JoinInfo, tunnel: JoinTunnel): string[] =>
  agentArguments({
    ...{ gateway: [tunnel.gateway], cluster, authority: tunnel.authority, listen: tunnel.listen },
    ...(tunnel.name === undefined ? { plaintext: true } : { name: tunnel.name, ca: gatewayCaFile }),
    ...(tunnel.token !== undefined && { tokenFile }),
  });

/** Its proxy is told apart from that of other programs. */
export const agentVariables = ({ proxy }: JoinInfo, { byProxy }: JoinTunnel): Record<string, string> =>
  byProxy && proxy !== undefined ? { CAUSEWAY_PROXY: proxy.url } : {};

export function agentFiles(info: JoinInfo, tunnel: JoinTunnel): JoinFile[] {
  const variables = environmentFile(agentVariables(info, tunnel));
  return [
    { path: `${units}/${agentUnit}.service`, mode: '0644', text: agentService(info, tunnel), units: [agentUnit] },
    ...(variables === ''
      ? []
      : [{ path: agentEnvironmentFile, mode: '0600', text: variables, units: [agentUnit] } as const]),
    { path: renewalScript, mode: '0755', text: renewal(info), units: [] },
    { path: `${units}/${tokenUnit}.service`, mode: '0644', text: tokenService(), units: [] },
    { path: `${units}/${tokenUnit}.timer`, mode: '0644', text: tokenTimer(), units: [`${tokenUnit}.timer`] },
  ];
}

const agentUnit = 'causeway-agent';
const tokenUnit = 'causeway-agent-token';

const agentService = (info: JoinInfo, tunnel: JoinTunnel): string =>
  systemdUnit({
    Unit: {
      Description: `Causeway node agent of cluster ${info.cluster}`,
      Wants: 'network-online.target',
      After: 'network-online.target',
      Before: 'kubelet.service',
    },
    Service: {
      ExecStart: execLine([programLink, 'agent', ...agentCommand(info, tunnel)]),
      Environment: environmentAssignment('CAUSEWAY_CACHE', cacheDirectory),
      EnvironmentFile: `-${agentEnvironmentFile}`,
      CacheDirectory: 'causeway',
      // For its admin socket.
      RuntimeDirectory: 'causeway-agent',
      RuntimeDirectoryMode: '0700',
      CapabilityBoundingSet: 'CAP_NET_ADMIN',
      NoNewPrivileges: 'yes',
      ProtectSystem: 'strict',
      ProtectHome: 'read-only',
      PrivateTmp: 'yes',
      Restart: 'always',
      RestartSec: '1',
      TimeoutStopSec: '30',
      LimitNOFILE: '65536',
    },
    Install: { WantedBy: 'multi-user.target' },
  });

const tokenService = (): string =>
  systemdUnit({
    Unit: { Description: 'Renews the token of the Causeway node agent' },
    Service: {
      Type: 'oneshot',
      EnvironmentFile: `-${proxyFile}`,
      ExecStart: execLine(['/bin/sh', renewalScript]),
    },
  });

const tokenTimer = (): string =>
  systemdUnit({
    Timer: { OnActiveSec: '5min', OnUnitActiveSec: '6h', RandomizedDelaySec: '10min' },
    Install: { WantedBy: 'timers.target' },
  });

/** Needs nothing but what the machine needs to join. */
const renewal = ({ apiServer }: JoinInfo): string => `#!/bin/sh
# Fetches the token of the node agent again, with the certificate of this node.
set -eu
umask 077
certificate=/var/lib/kubelet/pki/kubelet-client-current.pem
[ -e "$certificate" ] || exit 0
answer=$(curl --silent --show-error --fail --max-time 30 --cert "$certificate" --cacert ${clusterCaFile} \\
  'https://${apiServer}/api/v1/namespaces/kube-system/secrets/causeway-node-agent?pretty=true')
token=$(printf '%s\\n' "$answer" | sed -n 's/^ *"token": "\\([^"]*\\)".*/\\1/p' | base64 -d)
[ -n "$token" ]
printf '%s\\n' "$token" >${tokenFile}.new
mv ${tokenFile}.new ${tokenFile}
`;
