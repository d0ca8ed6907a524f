import { isIP } from 'node:net';
import { CausewayError } from '../core/errors.ts';
import { hostProblem } from '../core/names.ts';

/** The same that a snapshot takes; it becomes part of file names too. */
export function needClusterName(cluster: string): void {
  if (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(cluster)) return;
  throw new CausewayError(
    'CW-GATEWAY-CLUSTER',
    `"${cluster.slice(0, 80)}" is not the name of a cluster`,
    'use up to 63 lower-case letters, digits and inner hyphens, as in the snapshot',
  );
}

/** What a certificate can be for: a host name, perhaps with a wildcard in front, or an address. */
export function needServerName(name: string): void {
  if (isIP(name) !== 0) return;
  const problem = hostProblem(name.startsWith('*.') ? name.slice(2) : name);
  if (problem === undefined) return;
  throw new CausewayError('CW-GATEWAY-NAME', `"${name.slice(0, 80)}" ${problem}`, 'write a host name or an IP address');
}
