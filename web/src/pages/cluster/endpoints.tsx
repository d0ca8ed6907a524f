import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ClusterDetail } from '../../api/types.ts';
import { Copyable } from '../../components/copyable.tsx';
import { type Fact, Facts } from '../../components/data-table/facts.tsx';
import { Name } from '../../components/data-table/value-list.tsx';
import { asTyped, ofPlatform } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { strategyWords } from '../../components/strategies.ts';

type Endpoint = NonNullable<ClusterDetail['plan']>;
type Ways = NonNullable<ClusterDetail['proxy']>;

/** How a cluster is reached, as planned. */
export const Endpoints = ({ cluster: { name, managed, plan, proxy } }: { cluster: ClusterDetail }) => (
  <Stack gap="sm">
    {plan !== undefined && (
      <>
        <Section title="Endpoints">
          <Facts facts={endpointFacts(plan)} />
        </Section>
        <Section title="Strategy" about={plan.strategy}>
          <Text fz="sm">{strategyWords[plan.strategy]}</Text>
          <Text fz="sm" c="dimmed">
            A running cluster keeps its strategy: a change in the manifest is refused with a finding.
          </Text>
        </Section>
      </>
    )}
    {proxy !== undefined && (
      <Section title="Who goes which way">
        <Facts facts={wayFacts(proxy)} />
      </Section>
    )}
    {managed && <AddWorker name={name} />}
  </Stack>
);

/** What it prints is secret, so it is printed for whoever can run commands on the platform's machine. */
const AddWorker = ({ name }: { name: string }) => (
  <Section title="Add a worker">
    <Copyable
      text={asTyped(`causeway cluster join ${name}${ofPlatform('--dir')} > join-${name}.sh`)}
      what="the command"
    />
    <Text fz="sm">
      Makes a script, good for a day, that root runs on any Linux machine with kubeadm, kubelet and containerd. Whoever
      has it can add nodes.
    </Text>
  </Section>
);

const endpointFacts = (plan: Endpoint): Fact[] => [
  ['kubectl', plan.kubeconfigServer !== null && <Copyable text={plan.kubeconfigServer} what="the server" />],
  ['API server', dialText(plan.apiServer)],
  ['Konnectivity', dialText(plan.konnectivity)],
  ['Tunnel', plan.tunnel && <TunnelText key="tunnel" tunnel={plan.tunnel} />],
  [
    'Agents show',
    plan.tunnel && { token: 'a token', certificate: 'a certificate', none: 'nothing' }[plan.tunnel.authentication],
  ],
  [
    'Pods dial',
    `${plan.kubernetesService.addresses.join(', ') || 'an address not known yet'}, port ${plan.kubernetesService.port ?? 'not known yet'}`,
  ],
  ['Gateway ports', plan.entry === 'single' ? 'one port for everything' : 'split: API by name, tunnel apart'],
  ['Namespace', plan.namespace],
];

const TunnelText = ({ tunnel: { host, port, tls } }: { tunnel: NonNullable<Endpoint['tunnel']> }) => (
  <>
    <Name text={`${host}:${port}`} />
    {!tls && ', not encrypted'}
  </>
);

function dialText({ host, port, sni }: Endpoint['apiServer']): ReactNode {
  if (host === null || port === null) return 'not known yet';
  return (
    <>
      <Name text={`${host}:${port}`} />
      {sni !== undefined && sni !== host && (
        <>
          , by the name <Name text={sni} />
        </>
      )}
    </>
  );
}

const byWords = {
  direct: 'directly',
  'proxy-environment': 'through the proxy of its environment',
  'proxy-option': 'through the proxy it is told',
  'node-agent': 'through the node agent',
};

const wayFacts = (ways: Ways): Fact[] =>
  (
    [
      ['Kubelet', ways.kubelet],
      ['Konnectivity agent', ways.konnectivityAgent],
      ['Node agent', ways.nodeAgent],
      ['Pods', ways.pods],
    ] as const
  ).map(([who, way]) => [who, way && <Way key={who} way={way} />]);

const Way = ({ way: { by, target, reason } }: { way: Ways['pods'] }) => (
  <>
    {byWords[by]} to <Name text={target} />: {reason}
  </>
);
