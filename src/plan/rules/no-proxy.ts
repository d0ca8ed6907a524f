// Exemptions from the proxy, entry by entry, where they are written.
import { isIP } from 'node:net';
import { IpError, parseCidr } from '../../core/ip.ts';
import { hostProblem, isWithin } from '../../core/names.ts';
import type { Finding } from '../../model/index.ts';
import type { Resource } from '../../model/schema/index.ts';
import { memo } from '../cache.ts';
import { type ClusterRule, finding, nameOf, none, type PlanRule } from './rule.ts';

type WithProxy = Exclude<Resource, { kind: 'AddressPool' }>;
const noEntries: readonly string[] = [];
const entriesOf = (document: WithProxy): readonly string[] => document.spec.proxy?.noProxy ?? noEntries;

/** Why some programs would not understand an entry, and what all of them understand. */
export function entryProblem(entry: string): { problem: string; fix: string } | undefined {
  if (entry.includes('@'))
    return { problem: 'carries credentials', fix: `write ${entry.slice(entry.lastIndexOf('@') + 1)}` };
  if (/[\s,]/.test(entry))
    return { problem: 'holds several entries or blanks', fix: 'write one list item for each entry' };
  if (entry.includes('://'))
    return { problem: 'has a scheme', fix: `write ${URL.parse(entry)?.hostname || 'the host alone'}` };
  if (entry === '*') return { problem: 'exempts everything', fix: 'set proxy.enabled to false instead' };
  if (entry.includes('/')) return networkProblem(entry);
  const host = entry.replace(/^\*?\./, '').replace(/:\d+$/, '');
  if (host.includes('*'))
    return {
      problem: 'has a wildcard inside',
      fix: `write .${host.slice(host.lastIndexOf('*') + 1).replace(/^\./, '')}`,
    };
  if (isIP(entry) !== 0 || isIP(host) !== 0) return undefined;
  const problem = hostProblem(host.toLowerCase());
  return problem === undefined ? undefined : { problem, fix: 'write a name, a .suffix, an address or a network' };
}

function networkProblem(entry: string): { problem: string; fix: string } | undefined {
  try {
    parseCidr(entry);
    return undefined;
  } catch (error) {
    if (!(error instanceof IpError)) throw error;
    return {
      problem: `is no network: ${error.message}`,
      fix: error.fix === undefined ? 'write address/length' : `write ${error.fix}`,
    };
  }
}

/** Somebody may have pasted a whole URL. */
const withoutCredentials = (entry: string): string =>
  entry.includes('@') ? `…${entry.slice(entry.lastIndexOf('@'))}` : entry;

const formFindings = memo((document: WithProxy): readonly Finding[] =>
  entriesOf(document).flatMap((entry, i) => {
    const wrong = entryProblem(entry);
    if (wrong === undefined) return none;
    return [
      finding('CW-NOPROXY', {
        resource: nameOf(document),
        path: ['spec', 'proxy', 'noProxy', i],
        message: `"${withoutCredentials(entry)}" ${wrong.problem}`,
        fix: wrong.fix,
      }),
    ];
  }),
);

export const noProxyFormRule: PlanRule = ({ cache, model }) => [
  ...formFindings(cache, model.platform),
  ...model.seeds.flatMap((seed) => formFindings(cache, seed)),
  ...model.datacenters.flatMap((datacenter) => formFindings(cache, datacenter)),
];
export const clusterNoProxyFormRule: ClusterRule = ({ cache, cluster }) =>
  cluster.spec.proxy?.noProxy === undefined ? none : formFindings(cache, cluster);

/** XPS-4: what is exempt is dialled directly, and there is no direct way. */
export const noProxyGatewayRule: ClusterRule = (c) => {
  if (c.effective.route !== 'proxy' || c.effective.noProxy.length === 0) return none;
  return [c.platform, c.seed, c.datacenter, c.cluster].flatMap((document) =>
    entriesOf(document).flatMap((entry, i) =>
      exempts(entry, c.hostName, c.seedDomain)
        ? [
            finding('CW-NOPROXY', {
              resource: nameOf(document),
              path: ['spec', 'proxy', 'noProxy', i],
              message: `"${withoutCredentials(entry)}" exempts the gateway of seed ${c.seed.metadata.name} (${c.seedDomain}) from the proxy, which is the only way to it`,
              fix: 'remove the entry, or name the hosts below it that are reached directly',
              related: nameOf(c.datacenter),
            }),
          ]
        : none,
    ),
  );
};

function exempts(entry: string, hostName: string, seedDomain: string): boolean {
  const name = entry
    .replace(/^\*?\./, '')
    .replace(/:\d+$/, '')
    .toLowerCase();
  return name !== '' && (isWithin(hostName, name) || name === `tunnel.${seedDomain}`);
}
