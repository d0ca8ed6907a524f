// The page and the API of a running platform, and the same for its control socket.
import type { RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { type Api, createApi } from '../../api/app.ts';
import { authOf } from '../../api/auth/configure.ts';
import type { AuthOptions } from '../../api/auth/options.ts';
import { isLoopbackName } from '../../api/guard/host.ts';
import { type ServedApi, serveApi } from '../../api/serve.ts';
import { CausewayError } from '../../core/errors.ts';
import { hostPort } from '../../net/host-port.ts';
import type { Log } from '../../net/log.ts';
import { ensurePage } from '../../up/page/ensure-page.ts';
import type { Platform } from '../../up/view.ts';

export interface Page {
  /** An address of the page; on loopback it lets one browser in. */
  link(): string;
  /** For the control socket, which needs no login. */
  readonly trusted: RequestListener;
  close(): Promise<void>;
}

/** As they come from the command line. */
export interface PageFlags {
  readonly apiAddress: string;
  readonly port?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly url?: string;
  readonly claim?: string;
  readonly role?: readonly string[];
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const usualPort = 9900;

export async function servePage(platform: Platform, flags: PageFlags, log: Log): Promise<Page> {
  const isLocal = isLoopbackName(flags.apiAddress);
  const auth = isLocal ? { links: true } : signIns(platform, flags);
  const hosts = [flags.apiAddress, ...(flags.url === undefined ? [] : [new URL(flags.url).hostname])];
  const api = createApi({ platform, auth, hosts, pageDirectory: `${root}web/dist`, log });
  const served = await serveSomewhere(api, flags);
  buildPage(platform, log);
  return {
    link: () => (isLocal ? api.loginUrl(served.url) : (flags.url ?? served.url)),
    trusted: getRequestListener((request, env) => api.app.fetch(request, { ...env, trusted: true } as never), {
      overrideGlobalObjects: false,
    }),
    close: () => served.close(),
  };
}

/** Away from this machine people prove who they are, as the Platform says. */
function signIns(platform: Platform, { apiAddress, port, url, claim, role = [] }: PageFlags): AuthOptions {
  const { model, directory } = platform.view();
  if (model === undefined) return {};
  const flags = {
    roles: role,
    url: url ?? `https://${hostPort(apiAddress, Number(port ?? usualPort))}`,
    ...(claim === undefined ? {} : { claim }),
  };
  return authOf(model.platform, flags, { directory, env: process.env });
}

async function serveSomewhere(api: Api, { apiAddress: host, port, tlsCert, tlsKey }: PageFlags): Promise<ServedApi> {
  const tls = tlsCert === undefined || tlsKey === undefined ? {} : { tls: { certFile: tlsCert, keyFile: tlsKey } };
  const wanted = readPort(port);
  try {
    return await serveApi({ api, address: { host, port: wanted ?? usualPort }, ...tls });
  } catch (error) {
    const isTaken = error instanceof CausewayError && error.code === 'CW-API-LISTEN';
    if (!isTaken || wanted !== undefined) throw error;
    return serveApi({ api, address: { host, port: 0 }, ...tls });
  }
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new CausewayError('CW-CLI-PORT', `"${text}" is no port`, 'write 0 to 65535; 0 is any free one');
}

/** Meanwhile there is a small page that says so. */
function buildPage(platform: Platform, log: Log): void {
  ensurePage({ root, log }).catch((error: Error) =>
    platform.record({ kind: 'platform', level: 'warn', subject: 'page', message: error.message }),
  );
}
