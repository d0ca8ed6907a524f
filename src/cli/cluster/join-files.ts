// The files that a machine gets when it becomes a worker: proxy settings and their drop-ins, the units of the node agent
// with their scripts.
import { addressArguments, agentArguments } from '../../agent/index.ts';
import { parseHostPort } from '../../core/host-port.ts';
import { environmentFile, systemdUnit } from '../../core/systemd.ts';
import type { JoinInfo, JoinTunnel } from '../../platform/index.ts';
import {
  addressService,
  addressUnit,
  agentService,
  agentUnit,
  kubeletCredential,
  tokenDirectory,
  tokenService,
  tokenTimer,
  tokenUnit,
} from './join-units.ts';

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
export const tokenFile = `/var/lib/${tokenDirectory}/token`;
/** Where earlier scripts wrote it, for an agent that ran as root. */
export const formerTokenFile = `${directory}/token`;
export const clusterCaFile = `${directory}/cluster-ca.crt`;
const gatewayCaFile = `${directory}/gateway-ca.crt`;
const proxyFile = `${directory}/proxy.env`;
const agentEnvironmentFile = `${directory}/agent.env`;
const renewalScript = `${directory}/renew-token.sh`;
const addressScript = `${directory}/keep-address.sh`;
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
  const { host, port } = parseHostPort(tunnel.listen) ?? unreadable(tunnel.listen);
  const variables = environmentFile(agentVariables(info, tunnel));
  const service = agentService({
    ...{ cluster: info.cluster, listenPort: port, cache: cacheDirectory, environmentFile: agentEnvironmentFile },
    command: [programLink, 'agent', ...agentCommand(info, tunnel)],
  });
  return [
    { path: addressScript, mode: '0755', text: keepAddress(host), units: [addressUnit] },
    {
      path: unitFile(`${addressUnit}.service`),
      mode: '0644',
      text: addressService(addressScript),
      units: [addressUnit],
    },
    { path: unitFile(`${agentUnit}.service`), mode: '0644', text: service, units: [agentUnit] },
    ...(variables === ''
      ? []
      : [{ path: agentEnvironmentFile, mode: '0600', text: variables, units: [agentUnit] } as const]),
    ...(tunnel.token === undefined ? [] : renewalFiles(info)),
  ];
}

const unitFile = (name: string): string => `${units}/${name}`;

const renewalFiles = (info: JoinInfo): JoinFile[] => [
  { path: renewalScript, mode: '0755', text: renewal(info), units: [] },
  {
    ...{ path: unitFile(`${tokenUnit}.service`), mode: '0644', units: [] },
    text: tokenService(renewalScript, proxyFile),
  },
  { path: unitFile(`${tokenUnit}.timer`), mode: '0644', text: tokenTimer(), units: [`${tokenUnit}.timer`] },
];

function unreadable(listen: string): never {
  throw new TypeError(`${listen} is no address with a port`);
}

/** A network manager that starts again may take the address away. */
const keepAddress = (address: string): string => `#!/bin/sh
# Keeps ${address} on the loopback interface. It stays there when this ends, so that pods are refused at once instead of
# being sent elsewhere.
set -u
keep() {
  said=$(LC_ALL=C ip ${addressArguments(address).join(' ')} 2>&1) && return
  case $said in *'File exists'* | *'already assigned'*) return ;; esac
  printf '%s\\n' "$said" >&2
  exit 1
}
keep
[ "\${1:-}" = once ] && exit
while sleep 10; do keep; done
`;

/** Needs nothing but what the machine needs to join. The API server says which node its certificate is of. */
const renewal = ({ apiServer }: JoinInfo): string => `#!/bin/sh
# Fetches the token of the node agent again, with the certificate of this node.
set -eu
certificate=$CREDENTIALS_DIRECTORY/${kubeletCredential}
ask() {
  curl --silent --show-error --fail --max-time 30 --cert "$certificate" --cacert ${clusterCaFile} "$@"
}
review='{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}'
answer=$(ask --header 'Content-Type: application/json' --data "$review" \\
  'https://${apiServer}/apis/authentication.k8s.io/v1/selfsubjectreviews?pretty=true')
node=$(printf '%s\\n' "$answer" | sed -n 's/^ *"username": "system:node:\\([^"]*\\)".*/\\1/p')
[ -n "$node" ]
answer=$(ask "https://${apiServer}/api/v1/namespaces/kube-system/secrets/causeway-node-agent-$node?pretty=true")
token=$(printf '%s\\n' "$answer" | sed -n 's/^ *"token": "\\([^"]*\\)".*/\\1/p' | base64 -d)
[ -n "$token" ]
printf '%s\\n' "$token" >${tokenFile}.new
mv ${tokenFile}.new ${tokenFile}
`;
