// The page and the API of a running platform, and the same for its control socket.

import type { RequestListener } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import {
  type Api,
  type AuthOptions,
  auditDirectory,
  authOf,
  createApi,
  hasLogin,
  openAuditLog,
  owner,
  type ServedApi,
  type Started,
  serveApi,
} from '../../api/index.ts';
import { CausewayError } from '../../core/errors.ts';
import { hostPort } from '../../core/host-port.ts';
import { issuerAuthorities, type Platform } from '../../platform/index.ts';
import { bundleText } from '../../runtime/local/secret-places.ts';
import type { Log } from '../../sys/log.ts';
import { ensurePage } from '../page/ensure-page.ts';
import { shellWord, startedAs } from '../started-as.ts';
import type { PageFlags, PagePlace } from './page-flags.ts';

export interface Page {
  /** An address of the page; on loopback it lets one browser in. */
  link(): string;
  /** Writes down what the owner did at the control socket beside the API. */
  audit(what: string, status: number): void;
  /** For the control socket, which needs no login. */
  readonly trusted: RequestListener;
  close(): Promise<void>;
}

/** How people get roles. */
export type AccessFlags = Pick<PageFlags, 'claim' | 'role'>;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const usualPort = 9900;

export async function servePage(platform: Platform, place: PagePlace, access: AccessFlags, log: Log): Promise<Page> {
  const auth = place.isLocal ? { links: true } : signIns(platform, place, access);
  // Whoever comes from elsewhere has another machine's directories, and learns nothing of this one's.
  const started = place.isLocal ? { started: startedHere(platform) } : {};
  const audit = openAuditLog(auditDirectory(platform.view().directory), {
    failed: ({ message }) => log.error('the audit log cannot be written', { why: message }),
  });
  const { names: hosts, trustedProxies } = place;
  const api = createApi({
    platform,
    audit,
    auth,
    hosts,
    trustedProxies,
    pageDirectory: `${root}web/dist`,
    log,
    ...started,
  });
  const served = await serveSomewhere(api, place, log);
  buildPage(platform, log);
  return {
    link: () => (place.isLocal ? api.loginUrl(served.url) : publicUrl(place, Number(new URL(served.url).port))),
    trusted: getRequestListener((request, env) => api.app.fetch(request, { ...env, trusted: true } as never), {
      overrideGlobalObjects: false,
    }),
    audit: (what, status) => audit.write({ who: owner.name, via: 'control', what, status }),
    async close() {
      await served.close();
      audit.close();
    },
  };
}

const startedHere = (platform: Platform): Started => ({
  command: startedAs(process.env, { anywhere: true }),
  directory: shellWord(path.resolve(platform.view().directory)),
});

const publicUrl = ({ url, name }: PagePlace, port: number): string => url ?? `https://${hostPort(name, port)}`;

/** Away from this machine people prove who they are, as the Platform says. */
function signIns(platform: Platform, place: PagePlace, { claim, role = [] }: AccessFlags): AuthOptions {
  const { model, directory } = platform.view();
  if (model === undefined) throw unknownUsers(directory);
  const url = publicUrl(place, place.port ?? usualPort);
  const ca = issuerAuthorities(model, (file) => bundleText(file, { manifests: directory }));
  const flags = { roles: role, url, ...(claim === undefined ? {} : { claim }), ...(ca === undefined ? {} : { ca }) };
  const auth = authOf(model.platform, flags, { manifests: directory });
  if (!hasLogin(auth)) throw nobodyKnown(place.address);
  return auth;
}

async function serveSomewhere(api: Api, place: PagePlace, log: Log): Promise<ServedApi> {
  const { address: host, port = usualPort, isLocal, tls } = place;
  const options = { api, log, ...(tls === undefined ? {} : { tls }) };
  try {
    return await serveApi({ ...options, address: { host, port } });
  } catch (error) {
    const isTaken = error instanceof CausewayError && error.code === 'CW-API-LISTEN';
    // Others come to the address they know.
    if (!isTaken || !isLocal || place.port !== undefined) throw error;
    return serveApi({ ...options, address: { host, port: 0 } });
  }
}

/** Meanwhile there is a small page that says so. */
function buildPage(platform: Platform, log: Log): void {
  ensurePage({ root, log }).catch((error: Error) =>
    platform.record({ kind: 'platform', level: 'warn', subject: 'page', message: error.message }),
  );
}

const nobodyKnown = (address: string): CausewayError =>
  new CausewayError(
    'CW-API-OPEN',
    `the page is not served on ${address} without a login: the Platform names neither users nor a provider`,
    'add spec.authentication.dex.staticUsers (causeway password-hash makes a hash) or spec.authentication.external',
  );

const unknownUsers = (directory: string): CausewayError =>
  new CausewayError(
    'CW-API-OPEN',
    'who may log in is not known: the manifests have errors',
    `"causeway validate ${directory}" tells which; or leave out --api-address to serve this machine only`,
  );
