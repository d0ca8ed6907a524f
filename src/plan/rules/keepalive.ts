// KON-5: a tunnel that is silent for longer than a balancer remembers it is gone without a word.
import { durationMs } from '../../core/duration.ts';
import { spotOf } from './provenance.ts';
import { finding, none, type WorkerRule, type WorkerScope } from './rule.ts';

/** The schema has checked its form. */
const secondsOf = (duration: string): number => (durationMs(duration) ?? 0) / 1000;

export const keepaliveRule: WorkerRule = (scope) => {
  const { keepalive } = scope.effective;
  const shortest = idleTimeouts(scope).sort((a, b) => secondsOf(a.timeout) - secondsOf(b.timeout))[0];
  if (shortest === undefined || secondsOf(keepalive) < secondsOf(shortest.timeout)) return none;
  return [
    finding('CW-KEEPALIVE', {
      ...spotOf(scope, 'konnectivity.keepalive'),
      message: `keepalive is ${keepalive}, but ${shortest.what} forgets idle connections after ${shortest.timeout}`,
      fix: `set konnectivity.keepalive to ${Math.max(1, Math.floor(secondsOf(shortest.timeout) / 2))}s or less, or raise the timeout`,
      related: shortest.resource,
    }),
  ];
};

function idleTimeouts({ seed, datacenter, effective }: WorkerScope) {
  const list = [
    {
      what: 'the load balancer of the seed',
      timeout: seed.spec.loadBalancer?.idleTimeout,
      resource: `Seed/${seed.metadata.name}`,
    },
    {
      what: 'the load balancer of the datacenter',
      timeout: datacenter.spec.loadBalancer?.idleTimeout,
      resource: `Datacenter/${datacenter.metadata.name}`,
    },
    { what: 'the gateway', timeout: effective.idleTimeout, resource: `Seed/${seed.metadata.name}` },
  ];
  return list.flatMap(({ timeout, ...rest }) => (timeout === undefined ? [] : [{ ...rest, timeout }]));
}
