// Networks inside a cluster against each other and against everything around it.
import { contains, type IpRange, overlaps, parseAddress, parseCidr, rangeOf } from '../../core/ip.ts';
import type { Finding } from '../../model/index.ts';
import { freeAgentAddress, freeNetwork, suggestion } from './free-space.ts';
import { at, nearestSpot, type Spot, spotOf } from './provenance.ts';
import { type NamedRange, type NamedRanges, named, naming, overlapping, reserved } from './ranges.ts';
import { finding, none, type WorkerRule, type WorkerScope } from './rule.ts';

interface Own extends NamedRange {
  readonly spot: Spot;
  readonly isCache: boolean;
}

const isNetwork = (entry: string): boolean => entry.includes('/') && canParse(entry);
function canParse(text: string): boolean {
  try {
    parseCidr(text);
    return true;
  } catch {
    return false;
  }
}

function ownNetworks(scope: WorkerScope): Own[] {
  const { pods, services, nodeLocalDNS } = scope.effective;
  const list = (what: string, key: string, texts: readonly string[]): Own[] => {
    const spot = spotOf(scope, key);
    return texts.map((text, i) => {
      const range = text.includes('/') ? parseCidr(text) : rangeOf(parseAddress(text));
      return { what, text, range, resource: spot.resource, spot: at(spot, i), isCache: false };
    });
  };
  return [
    ...list('pod network', 'network.pods', pods),
    ...list('service network', 'network.services', services),
    ...list('node-local DNS cache', 'network.nodeLocalDNS', [nodeLocalDNS]).map((own) => ({
      ...own,
      spot: spotOf(scope, 'network.nodeLocalDNS'),
      isCache: true,
    })),
  ];
}

/** NET-5 inside one cluster and around it. Other clusters may use the same networks: they never meet. */
export const overlapRule: WorkerRule = (scope, reachable) => {
  const networks = ownNetworks(scope);
  return networks.flatMap((own, i) => {
    const later = networks.slice(i + 1).filter((other) => overlaps(own.range, other.range));
    const special = own.isCache ? [] : overlapping(reserved, own.range);
    const hit = [...later, ...overlapping(reachable, own.range), ...special];
    return hit.length === 0 ? none : [overlapFinding(own, hit, networks, reachable)];
  });
};

function overlapFinding(
  own: Own,
  hit: readonly NamedRange[],
  networks: readonly Own[],
  reachable: NamedRanges,
): Finding {
  const taken = [...networks.filter((other) => other !== own), ...reachable.list, ...reserved.list].map((n) => n.range);
  const field = own.spot.path
    .slice(1)
    .filter((step) => typeof step === 'string')
    .join('.');
  const related = hit.find((other) => other.resource !== '' && other.resource !== own.resource)?.resource;
  const { family } = own.range;
  const length = 'prefix' in own.range ? (own.range.prefix as number) : undefined;
  const free =
    length === undefined ? undefined : freeNetwork(family, family === 4 ? Math.max(length, 16) : length, taken);
  return finding('CW-CIDR-OVERLAP', {
    ...own.spot,
    message: `${own.what} ${own.text} overlaps ${naming(hit)}: nodes would keep that traffic to themselves`,
    fix: suggestion(
      free,
      (network) => `set ${field} to a free network, for example ${network}`,
      own.isCache
        ? `set ${field} to a free link-local address, for example 169.254.20.10`
        : `set ${field} to a free network`,
    ),
    ...(related === undefined ? {} : { related }),
  });
}

/** Whoever takes the network that the default lies in has made the conflict. */
function agentSpot(scope: WorkerScope, agent: IpRange): Spot {
  const inside = (texts: readonly string[]): boolean => texts.some((text) => contains(parseCidr(text), agent));
  if (inside(scope.effective.services)) return nearestSpot(scope, ['network.agentIP', 'network.services']);
  if (inside(scope.effective.pods)) return nearestSpot(scope, ['network.agentIP', 'network.pods']);
  return spotOf(scope, 'network.agentIP');
}

/** API-4: workers bind the agent IP, so it must not be anybody's. */
export const agentIpRule: WorkerRule = (scope, reachable) => {
  const { exposeStrategy, agentIP, noProxy } = scope.effective;
  if (exposeStrategy !== 'Tunneling') return none;
  const address = rangeOf(parseAddress(agentIP));
  const spot = agentSpot(scope, address);
  const exempt = named('noProxy network', spot.resource, noProxy.filter(isNetwork));
  const own = [...ownNetworks(scope), ...exempt];
  const hit = [
    ...own.filter((n) => contains(n.range, address)),
    ...overlapping(reachable, address),
    ...overlapping(reserved, address),
  ];
  if (hit.length === 0) return none;
  const taken = [...own, ...reachable.list, ...reserved.list].map((n) => n.range);
  const related = hit.find((n) => n.resource !== '' && n.resource !== spot.resource)?.resource;
  return [
    finding('CW-AGENT-IP', {
      ...spot,
      message: `agent IP ${agentIP} lies inside ${naming(hit)}: workers would take that address away from its owner`,
      fix: suggestion(
        freeAgentAddress(taken),
        (free) => `set network.agentIP to an address that is free everywhere, for example ${free}`,
        'set network.agentIP to an address that is free everywhere',
      ),
      ...(related === undefined ? {} : { related }),
    }),
  ];
};
