// A platform that answers on its control socket, with nothing running behind it.
import { getRequestListener } from '@hono/node-server';
import { type SampleApi, sampleApi } from '../../src/api/testing/sample-api.ts';
import type { Command } from '../../src/cli/control/backup-commands.ts';
import { serveControl } from '../../src/cli/control/control-server.ts';
import { platformHome } from '../../src/runtime/local/home.ts';
import { prepareState } from '../../src/runtime/local/prepare-state.ts';

type SampleArguments = Parameters<typeof sampleApi>;

export async function controlledSample(
  t: SampleArguments[0],
  { command, ...options }: NonNullable<SampleArguments[1]> & { readonly command?: Command } = {},
): Promise<SampleApi> {
  const sample = await sampleApi(t, options);
  const { app } = sample.api;
  const home = platformHome(sample.directory);
  prepareState(home);
  const api = getRequestListener((request, env) => app.fetch(request, { ...env, trusted: true } as never));
  const nothing = (): string => '';
  const more = command === undefined ? {} : { command };
  const audit = (what: string, status: number): void =>
    sample.audit.write({ who: 'owner', via: 'control', what, status });
  const server = await serveControl({
    socket: home.controlSocket,
    api,
    link: nothing,
    stop: nothing,
    audit,
    ...more,
  });
  t.after(() => server.close());
  return sample;
}
