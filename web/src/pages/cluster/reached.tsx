import { Stack, Text } from '@mantine/core';
import type { ClusterDetail } from '../../api/types.ts';
import { Copyable } from '../../components/copyable.tsx';
import { type Fact, Facts } from '../../components/data-table/facts.tsx';
import { Section } from '../../components/section.tsx';
import { strategyWords } from '../../components/strategies.ts';

type Endpoint = NonNullable<ClusterDetail['plan']>;
type Ways = NonNullable<ClusterDetail['proxy']>;

/** How a cluster is reached, as planned. */
export const Reached = ({ cluster: { plan, proxy } }: { cluster: ClusterDetail }) => (
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
  </Stack>
);

const endpointFacts = (plan: Endpoint): Fact[] => [
  ['kubectl', plan.kubeconfigServer !== null && <Copyable text={plan.kubeconfigServer} what="the server" />],
  ['API server', dialText(plan.apiServer)],
  ['Konnectivity', dialText(plan.konnectivity)],
  ['Tunnel', plan.tunnel && `${plan.tunnel.host}:${plan.tunnel.port}${plan.tunnel.tls ? '' : ', not encrypted'}`],
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

function dialText({ host, port, sni }: Endpoint['apiServer']): string {
  if (host === null || port === null) return 'not known yet';
  return `${host}:${port}${sni === undefined || sni === host ? '' : `, by the name ${sni}`}`;
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
  ).map(([who, way]) => [who, way && `${byWords[way.by]} to ${way.target}: ${way.reason}`]);
