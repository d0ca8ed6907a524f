// The units of a worker's node agent, each with no more than its own work needs:
//   causeway-agent          talks to pods and to the network, and has neither rights nor files but its token
//   causeway-agent-address  keeps the agent's address on the machine: the right to change addresses, and nobody to talk to
//   causeway-agent-token    renews the token with the kubelet's key, which no other unit sees
import { environmentAssignment, execLine, systemdUnit, type UnitSection } from '../../core/systemd.ts';

export const agentUnit = 'causeway-agent';
export const addressUnit = 'causeway-agent-address';
export const tokenUnit = 'causeway-agent-token';

/** Who owns the token; the agent reads it as a member of the group. */
export const tokenAccount = 'causeway-token';
/** Below /var/lib. */
export const tokenDirectory = 'causeway';
/** Where units look for programs, and the script too, so that both find the same Node. */
export const unitPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const kubeletKey = '/var/lib/kubelet/pki/kubelet-client-current.pem';
/** Name of the copy that systemd gives to the renewal. */
export const kubeletCredential = 'kubelet.pem';

/** What none of them needs. Node makes code while it runs, so memory that is both written and run is left to the others. */
const shutIn: UnitSection = {
  NoNewPrivileges: 'yes',
  ProtectSystem: 'strict',
  ProtectHome: 'yes',
  ProtectProc: 'invisible',
  ProtectClock: 'yes',
  ProtectHostname: 'yes',
  ProtectKernelLogs: 'yes',
  ProtectKernelModules: 'yes',
  ProtectKernelTunables: 'yes',
  ProtectControlGroups: 'yes',
  PrivateDevices: 'yes',
  PrivateTmp: 'yes',
  RestrictNamespaces: 'yes',
  RestrictRealtime: 'yes',
  RestrictSUIDSGID: 'yes',
  LockPersonality: 'yes',
  KeyringMode: 'private',
  RemoveIPC: 'yes',
  SystemCallArchitectures: 'native',
  SystemCallFilter: ['@system-service', '~@privileged @resources'],
  SystemCallErrorNumber: 'EPERM',
};
const noNewCode: UnitSection = { MemoryDenyWriteExecute: 'yes' };
/** The secrets of the node. They are of root only; this hides even their names. */
const noKubelet: UnitSection = { InaccessiblePaths: '-/etc/kubernetes -/var/lib/kubelet' };
const network = 'AF_UNIX AF_INET AF_INET6';

const capabilities = (...names: string[]): UnitSection => ({
  CapabilityBoundingSet: names.join(' '),
  AmbientCapabilities: names.join(' '),
});

export interface AgentUnit {
  readonly cluster: string;
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly listenPort: number;
  readonly cache: string;
  readonly environmentFile: string;
}

/** What waits for readers is 256 MiB at most, and Node with all else about as much again. */
const agentMemory = '640M';

export const agentService = ({ cluster, command, listenPort, cache, environmentFile }: AgentUnit): string =>
  systemdUnit({
    Unit: {
      Description: `Causeway node agent of cluster ${cluster}`,
      Wants: `network-online.target ${addressUnit}.service`,
      After: `network-online.target ${addressUnit}.service`,
      Before: 'kubelet.service',
    },
    Service: {
      ExecStart: execLine(command),
      Environment: [environmentAssignment('PATH', unitPath), environmentAssignment('CAUSEWAY_CACHE', cache)],
      EnvironmentFile: `-${environmentFile}`,
      DynamicUser: 'yes',
      SupplementaryGroups: tokenAccount,
      // For its admin socket.
      RuntimeDirectory: 'causeway-agent',
      RuntimeDirectoryMode: '0700',
      UMask: '0077',
      ...capabilities(...(listenPort < 1024 ? ['CAP_NET_BIND_SERVICE'] : [])),
      ...shutIn,
      ...noKubelet,
      // Netlink tells which addresses the machine has.
      RestrictAddressFamilies: `${network} AF_NETLINK`,
      MemoryMax: agentMemory,
      TasksMax: '64',
      LimitNOFILE: '65536',
      Restart: 'always',
      RestartSec: '1',
      TimeoutStopSec: '30',
    },
    Install: { WantedBy: 'multi-user.target' },
  });

export const addressService = (script: string): string =>
  systemdUnit({
    Unit: { Description: 'Keeps the address of the Causeway node agent on this machine', After: 'network.target' },
    Service: {
      ExecStartPre: execLine(['/bin/sh', script, 'once']),
      ExecStart: execLine(['/bin/sh', script]),
      Environment: environmentAssignment('PATH', unitPath),
      DynamicUser: 'yes',
      UMask: '0077',
      ...capabilities('CAP_NET_ADMIN'),
      ...shutIn,
      ...noNewCode,
      ...noKubelet,
      RestrictAddressFamilies: 'AF_NETLINK',
      IPAddressDeny: 'any',
      MemoryMax: '32M',
      TasksMax: '8',
      Restart: 'always',
      RestartSec: '5',
    },
    Install: { WantedBy: 'multi-user.target' },
  });

/** systemd reads the key as root, and gives a copy to this unit alone, for as long as it runs. */
export const tokenService = (script: string, proxyFile: string): string =>
  systemdUnit({
    Unit: { Description: 'Renews the token of the Causeway node agent', ConditionPathExists: kubeletKey },
    Service: {
      Type: 'oneshot',
      ExecStart: execLine(['/bin/sh', script]),
      Environment: environmentAssignment('PATH', unitPath),
      EnvironmentFile: `-${proxyFile}`,
      User: tokenAccount,
      Group: tokenAccount,
      LoadCredential: `${kubeletCredential}:${kubeletKey}`,
      StateDirectory: tokenDirectory,
      StateDirectoryMode: '0750',
      UMask: '0027',
      ...capabilities(),
      ...shutIn,
      ...noNewCode,
      ...noKubelet,
      RestrictAddressFamilies: network,
      MemoryMax: '64M',
      TasksMax: '16',
      TimeoutStartSec: '60',
      // The token of a node that has just joined is there in a moment.
      Restart: 'on-failure',
      RestartSec: '30',
    },
  });

export const tokenTimer = (): string =>
  systemdUnit({
    Timer: { OnActiveSec: '5min', OnUnitActiveSec: '6h', RandomizedDelaySec: '10min' },
    Install: { WantedBy: 'timers.target' },
  });
