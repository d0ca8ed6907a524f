// Strategy against egress: can everything on a worker reach its control plane in the way the manifests say?
import type { Finding } from '../../model/index.ts';
import { gatewayPortsOf } from '../ports.ts';
import { seedSettings } from '../settings/index.ts';
import { nearestSpot } from './provenance.ts';
import { finding, nameOf, none, type PlanRule, type WorkerRule, type WorkerScope } from './rule.ts';

const isTunneling = ({ effective }: WorkerScope): boolean => effective.exposeStrategy === 'Tunneling';

/** XPS-4 holds for stock Envoy agents; ours go through the proxy. */
export const tunnelProxyRule: WorkerRule = (scope) => {
  const { route, agent } = scope.effective;
  if (!isTunneling(scope) || route !== 'proxy' || agent !== 'envoy') return none;
  return [
    finding('CW-TUNNEL-PROXY', {
      ...nearestSpot(scope, ['workers.agent', 'workers.route']),
      message: 'workers reach the gateway only through the proxy, which a stock Envoy agent cannot cross',
      fix: 'set workers.agent to causeway; or have a direct way opened and set workers.route to direct',
    }),
  ];
};

export const envoyAgentRule: WorkerRule = (scope) => {
  const { agent, entry } = scope.effective;
  if (!isTunneling(scope) || agent !== 'envoy') return none;
  const authentication = scope.seed.spec.gateway.tunnelAuthentication ?? 'token';
  const report = (message: string, fix: string): Finding[] => [
    finding('CW-AGENT-ENVOY', {
      ...nearestSpot(scope, ['workers.agent', 'workers.entry']),
      message,
      fix,
      related: nameOf(scope.seed),
    }),
  ];
  if (entry === 'single')
    return report(
      'the single port is TLS, which a stock Envoy agent does not speak',
      'set workers.agent to causeway, or workers.entry to split',
    );
  if (authentication === 'none') return none;
  return report(
    `the gateway asks for a ${authentication}, which a stock Envoy agent cannot show`,
    'set workers.agent to causeway, or gateway.tunnelAuthentication of the seed to none',
  );
};

/** API-3: no proxy variable applies to the service address that pods dial. */
export const podsWayRule: WorkerRule = (scope) => {
  const { route, exposeStrategy } = scope.effective;
  if (route !== 'proxy' || isTunneling(scope)) return none;
  return [
    finding('CW-PODS-NO-WAY', {
      ...nearestSpot(scope, ['exposeStrategy', 'workers.route']),
      message: `workers reach the control plane only through the proxy, but with ${exposeStrategy} pods dial it directly`,
      fix: 'set exposeStrategy to Tunneling; or have a direct way opened and set workers.route to direct',
    }),
  ];
};

export const entryRule: WorkerRule = (scope) => {
  const { entry } = scope.effective;
  const offers = scope.seed.spec.gateway.offers ?? ['split'];
  if (!isTunneling(scope) || offers.includes(entry)) return none;
  return [
    finding('CW-ENTRY-NOT-OFFERED', {
      ...nearestSpot(scope, ['workers.entry']),
      message: `workers use the ${entry} entry, but the gateway of seed ${scope.seed.metadata.name} offers only ${offers.join(', ')}`,
      fix: `add ${entry} to gateway.offers of the seed, or set workers.entry to ${offers[0]}`,
      related: nameOf(scope.seed),
    }),
  ];
};

/** PRX-3: CONNECT to a port that the proxy refuses never leaves the building. */
export const proxyPortRule: WorkerRule = (scope) => {
  const { route, proxy, entry } = scope.effective;
  if (!isTunneling(scope) || route !== 'proxy' || proxy?.connectPorts === undefined) return none;
  const ports = gatewayPortsOf(scope.seed);
  const used = entry === 'single' ? [ports.single] : [ports.sni, ports.tunnel];
  const refused = used.filter((port) => !proxy.connectPorts?.includes(port));
  if (refused.length === 0) return none;
  return [
    finding('CW-PROXY-PORT', {
      ...nearestSpot(scope, ['workers.entry', 'workers.route']),
      message: `workers need ${refused.join(' and ')} through the proxy, which allows CONNECT only to ${proxy.connectPorts.join(', ')}`,
      fix: portFix(scope, proxy.connectPorts),
      related: proxy.from,
    }),
  ];
};

function portFix({ effective, seed }: WorkerScope, allowed: readonly number[]): string {
  const { single, offersSingle } = gatewayPortsOf(seed);
  const port = allowed.includes(single) ? single : allowed[0];
  const steps = [
    ...(offersSingle ? [] : [`add single to gateway.offers of seed ${seed.metadata.name}`]),
    ...(port === single ? [] : [`set gateway.ports.single of seed ${seed.metadata.name} to ${port}`]),
    ...(effective.entry === 'single' ? [] : ['set workers.entry to single']),
  ];
  return `${steps.join(', ')}; or have the proxy allow the ports and add them to proxy.connectPorts`;
}

/** XPS-5: cleartext is a concession to agents that cannot do better. */
export const cleartextRule: PlanRule = (ctx) =>
  ctx.model.seeds.flatMap((seed) => {
    if (seed.spec.gateway.tunnelAuthentication !== 'none') return none;
    const clusters = ctx.clustersOfSeed.get(seed.metadata.name);
    const agents = clusters?.map((c) => c.effective) ?? [seedSettings(ctx, seed).effective];
    if (agents.some(({ agent }) => agent === 'envoy')) return none;
    return [
      finding('CW-TUNNEL-CLEARTEXT', {
        resource: nameOf(seed),
        path: ['spec', 'gateway', 'tunnelAuthentication'],
        message: 'the tunnel is cleartext and asks for no credential, but no cluster has stock Envoy agents',
        fix: 'set gateway.tunnelAuthentication to token, or remove it',
      }),
    ];
  });

/** PRT-14. */
export const gatewayPortsRule: PlanRule = ({ model }) =>
  model.seeds.flatMap((seed) => {
    const { sni, tunnel, single, offersSplit, offersSingle } = gatewayPortsOf(seed);
    const ports = [...(offersSplit ? [sni, tunnel] : []), ...(offersSingle ? [single] : [])];
    const double = ports.find((port, i) => ports.indexOf(port) !== i);
    if (double === undefined) return none;
    return [
      finding('CW-GATEWAY-PORTS', {
        resource: nameOf(seed),
        path: ['spec', 'gateway', 'ports'],
        message: `port ${double} is used by two listeners of the gateway (${ports.join(', ')})`,
        fix: 'give each its own port, for example sni 6443, tunnel 8088, single 443',
      }),
    ];
  });
