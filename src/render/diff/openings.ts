// Lines of the firewall matrix as boxes, and what is left of them as text.
import type { Interval } from '../../core/intervals.ts';
import { type Family, formatRange } from '../../core/ip.ts';
import { memo } from '../../core/memo.ts';
import type { Place } from '../../plan/schema/index.ts';
import type { MatrixLine } from '../firewall/lines.ts';
import { mergedPorts } from '../firewall/ports.ts';
import { portsText, whereOf, whereText } from '../firewall/rows.ts';
import { families, mergedRanges } from '../networks.ts';
import type { Box } from './boxes.ts';

interface End {
  readonly kind: string;
  readonly interval: Interval;
}

const whole: Interval = { first: 0n, last: 0n };
const isEverywhere = ({ networks }: Place): boolean => networks.includes('0.0.0.0/0') || networks.includes('::/0');

/** Names and places without addresses are wholes. So is the Internet: what goes out there opens nothing inside. */
const endsOf = memo((place: Place): readonly End[] => {
  if (isEverywhere(place) || whereOf(place).length === 0)
    return [{ kind: `@${whereText(place)} ${place.id}`, interval: whole }];
  return [
    ...families.flatMap((family) =>
      mergedRanges(place.networks, family).map((interval) => ({ kind: String(family), interval })),
    ),
    ...place.hosts.map((host) => ({ kind: host, interval: whole })),
  ];
});

const allPorts: Interval = { first: 0n, last: 65535n };

function portIntervals(ports: MatrixLine['ports']): Interval[] {
  if (ports.length === 0) return [allPorts];
  return mergedPorts(ports).map((port) => {
    const [first = '', last = first] = port.split('-');
    return { first: BigInt(first), last: BigInt(last) };
  });
}

/** Any protocol is the two that have ports, and the others. */
const protocolsOf = ({ protocol }: MatrixLine): string[] => (protocol === 'any' ? ['tcp', 'udp', 'other'] : [protocol]);

export function boxesOf(line: MatrixLine): Box[] {
  const [sources, targets] = [endsOf(line.source), endsOf(line.destination)];
  const ports = portIntervals(line.ports);
  return protocolsOf(line).flatMap((protocol) =>
    sources.flatMap((source) =>
      targets.flatMap((target) =>
        ports.map((interval) => ({
          kind: [source.kind, target.kind, protocol].join('|'),
          from: source.interval,
          to: target.interval,
          ports: interval,
        })),
      ),
    ),
  );
}

const placeText = memo(whereText);
export const lineText = memo(
  (line: MatrixLine): string =>
    `${line.from} (${placeText(line.source)}) → ${line.to} (${placeText(line.destination)}) ${line.protocol} ${portsText(line)}`,
);

/** What is left of a line, in as few sentences as it takes. */
export function restTexts(line: MatrixLine, rest: readonly Box[]): string[] {
  const byPorts = joined(rest.map(written), 'ports', ',');
  return joined(joined(byPorts, 'from', ' '), 'to', ' ').map(
    ({ from, to, protocol, ports }) => `${line.from} (${from}) → ${line.to} (${to}) ${protocol} ${ports}`,
  );
}

type Written = Readonly<Record<'from' | 'to' | 'protocol' | 'ports', string>>;

function written({ kind, from, to, ports }: Box): Written {
  const [source = '', target = '', protocol = ''] = kind.split('|');
  const { first, last } = ports;
  const numbers = first === last ? `${first}` : `${first}-${last}`;
  return {
    from: endText(source, from),
    to: endText(target, to),
    protocol,
    ports: last - first === allPorts.last ? 'all' : numbers,
  };
}

function endText(kind: string, interval: Interval): string {
  if (kind.startsWith('@')) return kind.slice(1, kind.lastIndexOf(' '));
  return kind === '4' || kind === '6' ? formatRange({ family: Number(kind) as Family, ...interval }) : kind;
}

/** Those that differ in one field only become one. */
function joined(items: readonly Written[], field: keyof Written, separator: string): Written[] {
  const alike = Map.groupBy(items, (item) => JSON.stringify({ ...item, [field]: '' }));
  return [...alike.values()].map((same) => {
    const texts = [...new Set(same.map((item) => item[field]))];
    return { ...(same[0] as Written), [field]: texts.join(separator) };
  });
}
