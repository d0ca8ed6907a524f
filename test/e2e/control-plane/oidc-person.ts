// Somebody whom a provider of OpenID Connect knows, with the token that kubectl would bring.
import { createHash, randomBytes } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createAuthority, issueServer, validFor } from '../../../src/pki/index.ts';
import type { Undo } from '../../support/gateway/undo.ts';
import { client, startProvider } from '../api/oidc-provider.ts';
import { createBrowser } from '../api/small-browser.ts';

export interface OidcPlace {
  /** As the API server is told. */
  readonly oidc: { readonly issuer: string; readonly clientId: string; readonly ca: string };
  idToken(login: string): Promise<string>;
}

const redirectUri = 'http://127.0.0.1:9/callback';
const isCallback = ({ pathname }: URL): boolean => pathname === '/callback';

export async function oidcPlace(t: Undo, groups: Readonly<Record<string, readonly string[]>>): Promise<OidcPlace> {
  const validity = validFor(new Date(), 1);
  const authority = await createAuthority('authority of the provider', validity);
  const tls = await issueServer(authority, ['127.0.0.1'], validity);
  const issuer = await startProvider(t, { redirectUri, groups, inToken: true, tls });
  setDefaultCACertificates([...getCACertificates(), authority.certificate]);
  return {
    oidc: { issuer, clientId: client.id, ca: authority.certificate },
    idToken: (login) => idToken(issuer, login),
  };
}

/** Through the pages of the provider, and then the code for the token. */
async function idToken(issuer: string, login: string): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const asked = new URLSearchParams({
    ...{ client_id: client.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid email groups' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const browser = createBrowser();
  const form = await browser.open(`${issuer}/auth?${asked}`);
  const consent = await browser.submit(form, { login, password: 'any' });
  const { url } = await browser.submit(consent, {}, isCallback);
  const body = new URLSearchParams({
    ...{ client_id: client.id, client_secret: client.secret, redirect_uri: redirectUri },
    ...{ grant_type: 'authorization_code', code: url.searchParams.get('code') ?? '', code_verifier: verifier },
  });
  const answer = (await (await fetch(`${issuer}/token`, { method: 'POST', body })).json()) as { id_token: string };
  return answer.id_token;
}
