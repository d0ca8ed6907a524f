// Prometheus' text format (version 0.0.4), for whoever has figures to show.

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly samples: readonly Sample[];
}

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

export const exposition = (families: readonly MetricFamily[]): string => families.map(familyText).join('');

function familyText({ name, help, type, samples }: MetricFamily): string {
  const head = `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`;
  return head + samples.map(({ labels, value }) => `${name}${labelText(labels)} ${number(value)}\n`).join('');
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const special = /[\\"\n]/;
const escaped = (value: string): string =>
  special.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value;

const number = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';

/** One sample without labels. */
export const single = (value: number): Sample[] => [{ labels: {}, value }];
