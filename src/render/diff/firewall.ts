// What to open and what to close. Nothing is closed that something else still needs, nothing is asked for twice.
import type { Interval } from '../../core/intervals.ts';
import { type Family, formatRange } from '../../core/ip.ts';
import { memo } from '../../core/memo.ts';
import type { Place, Plan } from '../../plan/schema/index.ts';
import { type MatrixLine, matrixLines } from '../firewall/lines.ts';
import { mergedPorts, portsText, whereOf, whereText } from '../firewall/rows.ts';
import { families, mergedRanges } from '../networks.ts';
import { type Box, holesOf, without } from './boxes.ts';
import { mergedRequests, type Request } from './request.ts';

/** A rule is its addresses: when a network moves, the old rule may be closed and a new one is needed. */
export function firewallRequests(wanted: Plan, open: Plan): Request[] {
  const [lines, others] = [crossing(wanted), crossing(open)];
  const known = new Set(others.map(lineText));
  const changed = lines.filter((line) => !known.has(lineText(line)));
  if (changed.length === 0) return [];
  const holes = openedBy(open);
  return mergedRequests(
    changed.flatMap((line) => {
      const boxes = boxesOf(line);
      const rest = boxes.flatMap((box) => without(box, holes));
      const isWhole = rest.length === boxes.length && rest.every((box, i) => box === boxes[i]);
      const texts = isWhole ? [lineText(line)] : restTexts(line, rest);
      return texts.map((text) => ({ text, reasons: line.reasons, rows: line.requirements }));
    }),
  );
}

const crossing = memo((plan: Plan): readonly MatrixLine[] => matrixLines(plan).filter(({ from, to }) => from !== to));
const openedBy = memo((plan: Plan) => holesOf(crossing(plan).flatMap(boxesOf)));

// Lines of the firewall matrix as boxes, and what is left of them as text.

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

function boxesOf(line: MatrixLine): Box[] {
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
const lineText = memo(
  (line: MatrixLine): string =>
    `${line.from} (${placeText(line.source)}) → ${line.to} (${placeText(line.destination)}) ${line.protocol} ${portsText(line)}`,
);

/** What is left of a line, in as few sentences as it takes. */
function restTexts(line: MatrixLine, rest: readonly Box[]): string[] {
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
