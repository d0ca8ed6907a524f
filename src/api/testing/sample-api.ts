// The API on a copy of the example, for tests: with somebody of each role, and a clock that can be moved.

import { hash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Api, createApi } from '../app.ts';
import { type AuditLog, openAuditLog } from '../audit-log.ts';
import type { AuthOptions } from '../auth/options.ts';
import type { ApiEnv } from '../context.ts';
import { requestHeader } from '../guard/requests.ts';
import type { Started } from '../page.ts';
import type { Problem } from '../schema/common.ts';
import type { Role } from '../schema/session.ts';
import { createSamplePlatform, type SampleOptions, type SamplePlatform } from './sample-platform.ts';

interface Undo {
  after(undo: () => Promise<void>): void;
}

export interface SampleApiOptions extends SampleOptions {
  readonly auth?: AuthOptions;
  readonly hosts?: readonly string[];
  readonly trustedProxies?: readonly string[];
  readonly pageDirectory?: string;
  readonly started?: Started;
  /** Manifests to copy. @default examples/local */
  readonly manifests?: string;
}

export interface SampleApi {
  readonly api: Api;
  readonly platform: SamplePlatform;
  readonly audit: AuditLog;
  readonly directory: string;
  /** A request of somebody with this role; without one of nobody. */
  ask(role: Role | undefined, url: string, init?: RequestInit, env?: ApiEnv['Bindings']): Promise<Response>;
  json<Body>(role: Role, url: string): Promise<Body>;
  put(role: Role, url: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** The answer to whoever signs in with the token of a new link. */
  signIn(env?: ApiEnv['Bindings']): Promise<Response>;
  /** All limits look at this clock. */
  sleep(ms: number): void;
}

export const tokenOf = (role: Role): string => `${role}-token-for-tests`;
const tokens = (['viewer', 'operator', 'admin'] as const).map((role) => ({
  name: role,
  role,
  sha256: hash('sha256', tokenOf(role)),
}));
const root = path.resolve(import.meta.dirname, '../../..');

export async function sampleApi(t: Undo, options: SampleApiOptions = {}): Promise<SampleApi> {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-api-'));
  cpSync(options.manifests ?? path.join(root, 'examples/local'), directory, { recursive: true });
  const platform = await createSamplePlatform(directory, options);
  let later = 0;
  const audit = openAuditLog(path.join(directory, '.causeway/audit'), { now: () => Date.now() + later });
  const api = createApi({
    platform,
    audit,
    auth: { tokens, ...options.auth },
    pageDirectory: options.pageDirectory ?? path.join(directory, 'no-page'),
    now: () => Date.now() + later,
    ...(options.hosts === undefined ? {} : { hosts: options.hosts }),
    trustedProxies: options.trustedProxies ?? [],
    ...(options.started === undefined ? {} : { started: options.started }),
  });
  t.after(async () => {
    await platform.stop();
    audit.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const ask: SampleApi['ask'] = async (role, url, init = {}, env = {}) =>
    api.app.request(
      `http://127.0.0.1${url}`,
      { ...init, headers: { ...(role === undefined ? {} : bearer(role)), ...init.headers } },
      env,
    );
  return {
    api,
    platform,
    audit,
    directory,
    ask,
    json: async <Body>(role: Role, url: string) => (await (await ask(role, url)).json()) as Body,
    put: (role, url, body, headers = {}) =>
      ask(role, url, {
        method: 'PUT',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', [requestHeader]: '1', ...headers },
      }),
    signIn: (env) =>
      ask(
        undefined,
        '/api/v1/session',
        {
          method: 'POST',
          body: JSON.stringify({ token: linkToken(api) }),
          headers: { 'content-type': 'application/json', [requestHeader]: '1' },
        },
        env,
      ),
    sleep: (ms) => {
      later += ms;
    },
  };
}

/** Of a new link. */
export const linkToken = (api: Api): string =>
  new URL(api.loginUrl('http://127.0.0.1')).searchParams.get('token') ?? '';

/** How somebody is known who signed in: over TLS by a cookie, else by a bearer token. */
export async function sessionOf(signedIn: Response): Promise<Record<string, string>> {
  const { token } = (await signedIn.json()) as { token?: string };
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  return { cookie: (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
}

/** As of a connection with TLS. */
export const overTls: ApiEnv['Bindings'] = { incoming: { socket: { encrypted: true } } };

export const bearer = (role: Role): Record<string, string> => ({ authorization: `Bearer ${tokenOf(role)}` });

/** The stable code of a refusal. */
export const codeOf = async (response: Response): Promise<string> => ((await response.json()) as Problem).error.code;
