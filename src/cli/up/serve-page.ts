// The page and the API of a running platform, and the same for its control socket.
import type { RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { type Api, createApi } from '../../api/app.ts';
import { type ServedApi, serveApi } from '../../api/serve.ts';
import { CausewayError } from '../../core/errors.ts';
import type { Log } from '../../net/log.ts';
import { ensurePage } from '../../up/page/ensure-page.ts';
import type { Platform } from '../../up/view.ts';

export interface Page {
  /** An address that lets one browser in. */
  link(): string;
  /** For the control socket, which needs no login. */
  readonly trusted: RequestListener;
  close(): Promise<void>;
}

export interface PageOptions {
  readonly platform: Platform;
  readonly host: string;
  /** Absent: the usual one, or a free one. */
  readonly port?: number;
  readonly log: Log;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const usualPort = 9900;

export async function servePage({ platform, host, port, log }: PageOptions): Promise<Page> {
  const api = createApi({ platform, auth: { links: true }, pageDirectory: `${root}web/dist`, log });
  const served = await serveSomewhere(api, host, port);
  buildPage(platform, log);
  return {
    link: () => api.loginUrl(served.url ?? ''),
    trusted: getRequestListener((request, env) => api.app.fetch(request, { ...env, trusted: true }), {
      overrideGlobalObjects: false,
    }),
    close: () => served.close(),
  };
}

async function serveSomewhere(api: Api, host: string, port: number | undefined): Promise<ServedApi> {
  try {
    return await serveApi({ api, address: { host, port: port ?? usualPort } });
  } catch (error) {
    const isTaken = error instanceof CausewayError && error.code === 'CW-API-LISTEN';
    if (!isTaken || port !== undefined) throw error;
    return serveApi({ api, address: { host, port: 0 } });
  }
}

/** Meanwhile there is a small page that says so. */
function buildPage(platform: Platform, log: Log): void {
  ensurePage({ root, log }).catch((error: Error) =>
    platform.record({ kind: 'platform', level: 'warn', subject: 'page', message: error.message }),
  );
}
