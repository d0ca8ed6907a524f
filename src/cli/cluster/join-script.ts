// The script that makes a machine a worker: what is particular to the cluster as variables, files and commands, and the
// same body for all.
import { readFileSync } from 'node:fs';
import { kubeconfigText } from '../../control-plane/index.ts';
import type { Flow } from '../../plan/schema/index.ts';
import type { JoinInfo, JoinTunnel } from '../../platform/index.ts';
import {
  agentCommand,
  agentFiles,
  agentVariables,
  cacheDirectory,
  clusterCaFile,
  formerTokenFile,
  gatewayCaFiles,
  type JoinFile,
  programLink,
  proxyFiles,
  proxyVariables,
  tokenFile,
} from './join-files.ts';
import { tokenAccount, tokenUnit, unitPath } from './join-units.ts';

const body = new URL('join.sh', import.meta.url);

export function joinScript(info: JoinInfo): string {
  return [
    '#!/bin/sh',
    `# Makes the machine that it is run on a worker of the cluster ${info.cluster}. It holds secrets: whoever has it can`,
    `# add nodes until ${new Date(info.expiresAt).toISOString()}.`,
    'set -eu',
    '',
    ...assignments(variables(info)),
    '',
    ...functions(info),
    '',
    readFileSync(body, 'utf8'),
  ].join('\n');
}

const variables = ({ tunnel, ...info }: JoinInfo): Record<string, string> => ({
  cluster: info.cluster,
  version: info.kubernetesVersion,
  api_server: info.apiServer,
  ca: info.ca.trimEnd(),
  ca_file: clusterCaFile,
  bootstrap: kubeconfigText({ server: `https://${info.apiServer}` }, info.ca, { token: info.token }),
  names: info.names.map(({ name, addresses }) => [name, ...addresses].join(' ')).join('\n'),
  flows: info.flows.map(flowLine).join('\n'),
  tunnel_gateway: tunnel?.gateway ?? '',
  tunnel_token: tunnel?.token ?? '',
  token_file: tokenFile,
  token_unit: tokenUnit,
  program_link: programLink,
  former_token_file: formerTokenFile,
  token_account: tokenAccount,
  unit_path: unitPath,
  cache: cacheDirectory,
});

/** Called by the body, each at its time. */
function functions(info: JoinInfo): string[] {
  const { tunnel, proxy } = info;
  return [
    ...shellFunction('set_proxy', proxy ? exportLines(proxyVariables(proxy)) : []),
    ...shellFunction('write_proxy', proxy ? proxyFiles(proxy).map(putLine) : []),
    ...shellFunction('write_gateway_ca', tunnel ? gatewayCaFiles(tunnel).map(putLine) : []),
    ...shellFunction('check_agent', tunnel ? checkLines(info, tunnel) : []),
    ...shellFunction('write_agent', tunnel ? agentFiles(info, tunnel).map(putLine) : []),
  ];
}

const shellFunction = (name: string, lines: readonly string[]): string[] => [
  `${name}() {`,
  ...(lines.length === 0 ? ['  :'] : lines),
  '}',
];

const exportLines = (values: Record<string, string>): string[] => assignments(values).map((line) => `  export ${line}`);

const checkLines = (info: JoinInfo, tunnel: JoinTunnel): string[] => [
  ...exportLines(agentVariables(info, tunnel)),
  `  as_agent "$causeway" agent ${agentCommand(info, tunnel).map(quoted).join(' ')} --check`,
];

/** The text is an argument of a function of the shell, not of a program: no other process sees it. */
const putLine = ({ path, mode, text, units }: JoinFile): string =>
  `  put ${mode} ${quoted(path)} ${quoted(units.join(' '))} ${quoted(text)}`;

const assignments = (values: Record<string, string>): string[] =>
  Object.entries(values).map(([name, value]) => `${name}=${quoted(value)}`);

const flowLine = ({ from, to, protocol, ports, requirement }: Flow): string =>
  `    ${requirement} ${from} to ${to} ${[protocol, ports.join(',')].filter(Boolean).join(' ')}`;

/** For the shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Where kubeadm is enough: no tunnel, no proxy. */
export const kubeadmLine = ({ apiServer, token, caHash }: JoinInfo): string =>
  `kubeadm join ${apiServer} --token ${token} --discovery-token-ca-cert-hash ${caHash}\n`;
