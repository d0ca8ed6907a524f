// The log of one component, or of the platform itself.
import type { ComponentId, Observed } from '../../control-plane/index.ts';
import { CausewayError } from '../../core/errors.ts';
import { suggestion } from '../../core/suggest.ts';
import { ownLog } from '../../runtime/local/index.ts';
import { type ControlClient, controlClient } from '../control/control-client.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import type { Status } from '../up/summary.ts';

interface Options {
  readonly cluster?: string;
  readonly follow?: boolean;
  readonly lines: string;
  readonly dir?: string;
}

export async function runLogs(component: string | undefined, options: Options): Promise<number> {
  const client = controlClient(platformDirectory(options.dir));
  const { scope, name } = component === undefined ? ownLog : await chosen(client, component, options.cluster);
  const query = new URLSearchParams({ scope, name, lines: options.lines, follow: String(options.follow === true) });
  const path = `/api/v1/components/logs?${query}`;
  const show = (line: string): void => void process.stdout.write(`${line}\n`);
  if (options.follow) await client.follow(path, show);
  else for (const line of linesOf(await client.ask('GET', path))) show(line);
  return 0;
}

const linesOf = (answer: string): readonly string[] => (JSON.parse(answer) as { lines: string[] }).lines;

async function chosen(client: ControlClient, name: string, cluster: string | undefined): Promise<ComponentId> {
  const { components } = JSON.parse(await client.ask('GET', '/api/v1/status')) as Status;
  const called = components.filter((one) => one.name === name);
  if (called.length === 0) throw noComponent(name, components);
  const found = called.filter(({ scope }) => cluster === undefined || scope.split('/')[1] === cluster);
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  const clusters = called.map(({ scope }) => scope.split('/')[1] ?? '');
  if (cluster !== undefined && first === undefined)
    throw new CausewayError('CW-CLI-COMPONENT', `no cluster "${cluster}" has ${name}`, suggestion(cluster, clusters));
  throw new CausewayError(
    'CW-CLI-COMPONENT',
    `there is more than one ${name}`,
    `add --cluster with one of ${clusters.join(', ')}`,
  );
}

function noComponent(name: string, components: readonly Observed[]): CausewayError {
  const names = [...new Set(components.map((component) => component.name))];
  return new CausewayError('CW-CLI-COMPONENT', `there is no component "${name.slice(0, 80)}"`, suggestion(name, names));
}
