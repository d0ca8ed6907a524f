// A gateway that hostile clients attack: their target, the clients that are served meanwhile, and its memory.
import type { TestContext } from 'node:test';
import { clusterOf, nameOf, snapshotOf, to, tunnelName } from '../../conformance/gateway/scene.ts';
import { type Backend, greetingBackend } from '../../support/gateway/backends.ts';
import { createAuthority } from '../../support/gateway/certificates.ts';
import { tls } from '../../support/gateway/clients.ts';
import type { Conversation } from '../../support/gateway/conversation.ts';
import { type OwnGateway, residentMiB, startGateway } from '../../support/gateway/own-gateway.ts';
import { createTokenKey, type TokenKey } from '../../support/gateway/tokens.ts';
import { type Crowd, crowd, type Newcomers, newcomers } from './load.ts';
import { temporaryDirectory } from './world.ts';

export interface AbusedGateway {
  readonly gateway: OwnGateway;
  /** What the hostile clients try to reach. */
  readonly target: Backend;
  readonly key: TokenKey;
  readonly good: { readonly talkers: Crowd; readonly coming: Newcomers };
  readonly memory: { readonly before: number; now(): number; peak(): number };
}

export async function startAbused(t: TestContext): Promise<AbusedGateway> {
  const directory = temporaryDirectory(t, 'abuse');
  const authority = createAuthority(`${directory}/pki`, 'abuse');
  const certificate = authority.issue({ commonName: tunnelName, dns: [tunnelName, nameOf('red'), nameOf('blue')] });
  const [target, blue] = [await greetingBackend('red', certificate), await greetingBackend('blue', certificate)];
  for (const backend of [target, blue]) t.after(() => backend.stop());
  const key = createTokenKey();
  const { certFile, keyFile } = certificate;
  const snapshot = snapshotOf(
    { red: clusterOf('red', { apiServer: to(target) }), blue: clusterOf('blue', { apiServer: to(blue) }) },
    {
      tunnel: {
        name: tunnelName,
        authentication: 'token',
        certificate: { certFile, keyFile },
        publicKeys: [key.publicKey],
      },
    },
  );
  const gateway = await startGateway(t, { directory, snapshot });
  const place = gateway.at('sni');
  const open = (): Promise<Conversation> => tls(place, { servername: nameOf('blue') });
  const good = { talkers: await crowd(5, open), coming: newcomers(open, 50) };
  t.after(() => good.talkers.stop());
  t.after(() => good.coming.stop());
  return { gateway, target, key, good, memory: watchMemory(t, gateway) };
}

function watchMemory(t: TestContext, gateway: OwnGateway): AbusedGateway['memory'] {
  const now = (): number => Math.max(...gateway.workers().map(residentMiB));
  const before = now();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, now());
  }, 200);
  t.after(() => clearInterval(timer));
  return { before, now, peak: () => peak };
}
