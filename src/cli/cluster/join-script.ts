// The script that makes a machine a worker: what is particular to the cluster as variables, and the same body for all.
import { readFileSync } from 'node:fs';
import { kubeconfigText } from '../../control-plane/kubeconfig.ts';
import type { Flow } from '../../plan/schema/index.ts';
import type { JoinInfo } from '../../platform/join/join-info.ts';

const body = new URL('join.sh', import.meta.url);

export function joinScript(info: JoinInfo): string {
  const lines = Object.entries(variables(info)).map(([name, value]) => `${name}=${quoted(value)}`);
  return [
    '#!/bin/sh',
    `# Makes the machine that it is run on a worker of the cluster ${info.cluster}. It holds secrets: whoever has it can`,
    `# add nodes until ${new Date(info.expiresAt).toISOString()}.`,
    'set -eu',
    '',
    ...lines,
    '',
    readFileSync(body, 'utf8'),
  ].join('\n');
}

function variables({ tunnel, proxy, ...info }: JoinInfo): Record<string, string> {
  const bootstrap = kubeconfigText({ server: `https://${info.apiServer}` }, info.ca, { token: info.token });
  return {
    cluster: info.cluster,
    version: info.kubernetesVersion,
    api_server: info.apiServer,
    ca: info.ca.trimEnd(),
    bootstrap,
    names: info.names.map(({ name, addresses }) => [name, ...addresses].join(' ')).join('\n'),
    flows: info.flows.map(flowLine).join('\n'),
    // Where a file of settings has it between such quotes.
    proxy_url: proxy?.url.replaceAll("'", '%27') ?? '',
    no_proxy: proxy?.noProxy.join(',') ?? '',
    tunnel_gateway: tunnel?.gateway ?? '',
    tunnel_name: tunnel?.name ?? '',
    tunnel_ca: tunnel?.ca?.trimEnd() ?? '',
    tunnel_token: tunnel?.token ?? '',
    tunnel_authority: tunnel?.authority ?? '',
    tunnel_listen: tunnel?.listen ?? '',
    tunnel_proxy: tunnel?.byProxy === true ? 'yes' : '',
  };
}

const flowLine = ({ from, to, protocol, ports, requirement }: Flow): string =>
  `    ${requirement} ${from} to ${to} ${[protocol, ports.join(',')].filter(Boolean).join(' ')}`;

/** For the shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Where kubeadm is enough: no tunnel, no proxy. */
export const kubeadmLine = ({ apiServer, token, caHash }: JoinInfo): string =>
  `kubeadm join ${apiServer} --token ${token} --discovery-token-ca-cert-hash ${caHash}\n`;
