// Figures and sentences as people say them.
import { beginsWithCommand, commandsAs } from '../../../src/core/command-text.ts';

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

export function bytes(count: number): string {
  const power = count < 1 ? 0 : Math.min(Math.floor(Math.log10(count) / 3), byteUnits.length - 1);
  const value = count / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${byteUnits[power]}`;
}

export const rate = (perSecond: number): string => `${bytes(perSecond)}/s`;

const steps = [
  { unit: 'd', ms: 86_400_000 },
  { unit: 'h', ms: 3_600_000 },
  { unit: 'min', ms: 60_000 },
  { unit: 's', ms: 1_000 },
];

/** 3 d, 2 h, 5 min, 12 s: the largest unit that fits. */
export function span(ms: number): string {
  const step = steps.find((candidate) => ms >= candidate.ms);
  return step === undefined ? '0 s' : `${Math.floor(ms / step.ms)} ${step.unit}`;
}

export const ago = (at: number, now: number): string => (now - at < 2_000 ? 'just now' : `${span(now - at)} ago`);

export const count = (value: number, one: string, many = `${one}s`): string =>
  `${value.toLocaleString('en')} ${value === 1 ? one : many}`;

/** As firewall people write it. */
export function portText({
  protocol,
  ports,
}: {
  readonly protocol: string;
  readonly ports: readonly (string | number)[];
}) {
  const where = ports.length === 0 ? 'all ports' : ports.join(', ');
  return protocol === 'any' ? `any protocol, ${where}` : `${protocol} ${where}`;
}

/** Messages of programs begin small and end bare; in front of people they are sentences. */
export function sentence(text: string): string {
  // A command is not written in capitals.
  const begun = beginsWithCommand(text) ? asTyped(text) : asTyped(text.charAt(0).toUpperCase() + text.slice(1));
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** "Allow-list: a." and "Allow-list: b." say together "Allow-list: a, b."; what is said twice is said once. */
export function joinReasons(reasons: readonly string[]): string {
  const parts = [...new Set(reasons)].map((reason) => /^([^:]+): (.*?)\.?$/.exec(reason) ?? [reason, reason, '']);
  const byHead = Map.groupBy(parts, ([, head]) => head);
  return [...byHead]
    .map(([head, same]) => (same[0]?.[2] === '' ? head : `${head}: ${same.map(([, , tail]) => tail).join(', ')}.`))
    .join(' ');
}

// Commands as whoever started the platform types them: the server writes that into the page.

const written = (name: string): string | null | undefined =>
  // Tests of texts run without a page.
  globalThis.document?.querySelector(`meta[name="causeway-${name}"]`)?.getAttribute('content');

/** A text for people with its commands as they would type them. */
export const asTyped = (text: string): string => commandsAs(text, written('command') ?? 'causeway');

/** What a command needs to find this platform in any directory, as in " --dir /srv/platform"; empty for readers elsewhere. */
export function ofPlatform(flag: '--dir' | 'argument'): string {
  const directory = written('directory') ?? '';
  if (directory === '') return '';
  return flag === 'argument' ? ` ${directory}` : ` --dir ${directory}`;
}
