// A certified OpenID Connect provider on a port of its own, which believes every password.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Issued } from '../../../src/pki/index.ts';
import type { Undo } from '../../support/gateway/undo.ts';

export interface ProviderOptions {
  readonly redirectUri: string;
  /** Groups of each person. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Claims are in the signed token too, not only in the user information. */
  readonly inToken?: boolean;
  /** The issuer is an https address then, as Kubernetes wants it. */
  readonly tls?: Issued;
}

export const client = { id: 'causeway', secret: 'secret-of-the-client' };

type ProviderClass = new (issuer: string, configuration: object) => { callback(): RequestListener };

export async function startProvider(
  t: Undo,
  { redirectUri, groups, inToken = false, tls }: ProviderOptions,
): Promise<string> {
  // The package brings no types.
  const { default: Provider } = (await import('oidc-provider' as string)) as { default: ProviderClass };
  const server = tls === undefined ? createServer() : createTlsServer({ cert: tls.certificate, key: tls.key });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    pkce: { required: () => true },
    scopes: ['openid', 'profile', 'email', 'groups'],
    claims: { email: ['email'], groups: ['groups'], profile: ['name'] },
    conformIdTokenClaims: !inToken,
    cookies: { keys: ['only for this test'] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, groups: groups[id] ?? [] }),
    }),
  });
  server.on('request', provider.callback());
  return issuer;
}
