// Rows that no single flow, record or field answers: what the plan as a whole says about them.

import { isWithin } from '../../core/names.ts';
import { groupOf, groups, rowById } from '../../plan/catalogue/index.ts';
import { masterIngress } from '../../plan/index.ts';
import type { Answers } from '../../plan/installation/index.ts';
import type { Flow, Plan } from '../../plan/schema/index.ts';
import { matrixLines } from '../firewall/lines.ts';
import { portsText } from '../firewall/rows.ts';
import { plural } from '../text/one-line.ts';
import { flowText, notMet, shortened } from './from-plan.ts';

export const computedAnswers = (plan: Plan): Answers => ({
  ...portAnswers(plan),
  ...endpointAnswers(plan),
  ...nameAnswers(plan),
  ...certificateAnswers(plan),
});

const isFromSeed = (flow: Flow): boolean => /^seed\/.*\/nodes/.test(flow.from);
const isToWorkers = (flow: Flow): boolean => /^datacenter\/.*\/workers/.test(flow.to);
const isOfPortTable = (flow: Flow): boolean => groupOf(flow.requirement) === groups.ports;

function portAnswers(plan: Plan): Answers {
  const table = plan.flows.filter(isOfPortTable);
  const others = table.filter(({ protocol }) => protocol !== 'tcp');
  const back = plan.flows.filter((flow) => isFromSeed(flow) && isToWorkers(flow));
  const nothingBack =
    back.length === 0 ? ['no flow goes from a seed to workers'] : back.map((f) => `${flowText(plan, f)} ${notMet}`);
  return {
    'PRT-14': openedPorts(table),
    'PRT-16':
      others.length === 0
        ? [`all ${plural(table.length, 'flow')} of the port table are TCP`]
        : others.map((flow) => `${flowText(plan, flow)} ${notMet}`),
    'PRT-18': [`the matrix has ${plural(matrixLines(plan).length, 'line')} for the strategies in use, and no others`],
    'PRT-19': nothingBack,
    'INT-2': nothingBack,
    'KON-4': nothingBack,
  };
}

/** Ports by destination, whoever connects. */
const openedPorts = (flows: readonly Flow[]): string[] =>
  shortened(
    [...Map.groupBy(flows, ({ to }) => to)].map(([to, same]) => {
      const ports = new Set(same.map(portsText).flatMap((text) => text.split(',')));
      return `${to}: ${[...ports].join(',')}`;
    }),
  );

const enough = (what: string, needed: number, capacity: number): string =>
  `${what}: ${needed} needed of ${capacity}${needed > capacity ? ` ${notMet}` : ''}`;

function endpointAnswers({ endpoints, addresses, proxy }: Plan): Answers {
  const at = ({ host, port }: { host: string | null; port: number | null }): string =>
    host === null || port === null ? 'address not known yet' : `${host}:${port}`;
  const ways = Object.entries(proxy.workers).flatMap(([cluster, { nodeAgent, kubelet }]) =>
    nodeAgent === undefined
      ? []
      : [`${cluster}: kubelet ${kubelet.by}, node agent ${nodeAgent.by} to ${nodeAgent.target}`],
  );
  return {
    'XPS-1': shortened(
      Object.values(endpoints).map(
        (e) => `${e.cluster}: API server ${at(e.apiServer)}, konnectivity ${at(e.konnectivity)}`,
      ),
    ),
    'XPS-3': [
      ...addresses.pools.map(({ pool, needed, capacity }) => enough(`pool ${pool}`, needed, capacity)),
      ...addresses.nodePorts.map(({ seed, needed, capacity }) =>
        enough(`node ports of seed ${seed}`, needed, capacity),
      ),
    ],
    'XPS-4': shortened(ways),
  };
}

function nameAnswers({ dns: { records } }: Plan): Answers {
  const waiting = records.filter(({ phase }) => phase === 'name').map(({ name }) => `${name}: address not known yet`);
  const dynamic = records.filter((record) => record.dynamic === true && record.hostname === undefined);
  return {
    'DNS-1': [
      `${plural(records.length - waiting.length, 'name')} of ${records.length} with a target`,
      ...shortened(waiting),
    ],
    'DNS-15':
      dynamic.length === 0
        ? ['no record holds an address that may change']
        : shortened(dynamic.map(({ name, addresses }) => `${name}: ${addresses.join(' ')} may change ${notMet}`)),
  };
}

/** A wildcard stands for exactly one label. */
const covers = (pattern: string, name: string): boolean =>
  pattern === name || (pattern.startsWith('*.') && name.slice(name.indexOf('.')) === pattern.slice(1));

function certificateAnswers({ certificates, requirements, platform: { domain } }: Plan): Answers {
  const held = certificates.filter(({ place }) => place === masterIngress);
  const answerTo = (name: string): string[] =>
    held
      .filter(({ dnsNames }) => dnsNames.some((dnsName) => covers(dnsName, name)))
      .map((certificate) => `${name} is in certificate ${certificate.name}, from ${certificate.issuedBy}`);
  const named = requirements.filter(({ id }) => rowById.get(id)?.namesInCertificate);
  const isDeep = (name: string): boolean =>
    isWithin(name.replace(/^\*\./, ''), domain) && name.slice(0, -(domain.length + 1)).includes('.');
  return {
    ...Object.fromEntries(named.map(({ id, targets }) => [id, targets.flatMap(answerTo)])),
    'CRT-7': shortened(
      held.flatMap(({ name, dnsNames }) => dnsNames.filter(isDeep).map((deep) => `${deep} is in certificate ${name}`)),
    ),
  };
}
