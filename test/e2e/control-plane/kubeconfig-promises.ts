// What a real API server makes of kubeconfigs: of whom they are, when they end, and what is left of them when revoked.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createKubeClient } from '../../../src/kube/index.ts';
import { issueClient, validFor } from '../../../src/pki/index.ts';
import { pkiFiles } from '../../../src/runtime/local/file-store.ts';
import { until } from '../../support/gateway/until.ts';
import { kubectlWith, type Scene } from './scene.ts';

type Kubectl = ReturnType<typeof kubectlWith>;

interface Stage {
  readonly real: { readonly kubectl: string };
  readonly scene: Scene;
  readonly admin: Kubectl;
  readonly viewer: Kubectl;
}

export const refused = (why: RegExp) => (error: Error & { stderr?: string }) => why.test(error.stderr ?? '');

export const kubeconfigPromises: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  async 'gives kubeconfigs that end by themselves'({ real, scene }) {
    const { cluster, directory, server } = scene;
    const brief = kubectlWith(
      real.kubectl,
      directory,
      (await cluster.kubeconfig({ person: 'ann', role: 'admin', ttlMs: 8000 }, { server })).text,
    );
    assert.match(await brief('get', 'namespaces'), /shop/);
    await until(() =>
      brief('get', 'namespaces').then(
        () => false,
        ({ stderr }: { stderr: string }) => /Unauthorized|logged in|expired/.test(stderr),
      ),
    );
  },

  async 'refuses a revoked kubeconfig within a minute, and no other'({ real, scene, admin, viewer }) {
    const { cluster, directory, server } = scene;
    const stolen = await cluster.kubeconfig({ person: 'eve', role: 'admin' }, { server });
    const eve = kubectlWith(real.kubectl, directory, stolen.text);
    assert.match(await eve('auth', 'whoami'), /causeway:eve/);
    await eve('get', 'secrets', '-A');
    assert.ok((await cluster.kubeconfigs()).some(({ id, person }) => id === stolen.id && person === 'eve'));
    assert.equal(await cluster.revokeKubeconfig(stolen.id), true);
    await until(
      () =>
        eve('get', 'secrets', '-A').then(
          () => false,
          ({ stderr }: { stderr: string }) => /User "causeway:eve" cannot list/.test(stderr),
        ),
      60_000,
    );
    assert.match(await admin('get', 'namespaces'), /shop/);
    assert.match(await viewer('get', 'namespaces'), /shop/);
    assert.equal(await cluster.revokeKubeconfig(stolen.id), false);
    assert.ok((await cluster.kubeconfigs()).every(({ person }) => person !== 'eve'));
  },

  async 'gives a person the name and the group of nobody else, whatever they are called'({ real, scene }) {
    const { cluster, directory, server } = scene;
    const request = { person: 'system:admin', role: 'viewer' } as const;
    const sly = kubectlWith(real.kubectl, directory, (await cluster.kubeconfig(request, { server })).text);
    const who = JSON.parse(await sly('auth', 'whoami', '-o', 'json')).status.userInfo;
    assert.equal(who.username, 'causeway:system:admin');
    assert.equal(who.groups.length, 2);
    assert.match(who.groups[0], /^causeway:kubeconfig:[a-z0-9]{10}$/);
    await assert.rejects(sly('get', 'secrets', '-n', 'shop'), refused(/forbidden/));
  },

  async 'refuses certificates from before kubeconfigs had names'({ scene: { input, server, cluster } }) {
    const { ca } = pkiFiles(input.home.pki);
    const [certificate, key] = [readFileSync(ca.cert, 'utf8'), readFileSync(ca.key, 'utf8')];
    const subject = { commonName: 'causeway:admin', organization: 'causeway:admins' };
    const old = await issueClient({ certificate, key }, subject, validFor(new Date(), 365));
    const client = createKubeClient({ server, ca: certificate, cert: old.certificate, key: old.key });
    await assert.rejects(client.list('/api/v1/secrets'), { code: 'CW-KUBE-FORBIDDEN' });
    client.close();
    const unending = cluster.kubeconfig({ person: 'ann', role: 'admin', ttlMs: 365 * 24 * 3_600_000 }, { server });
    await assert.rejects(unending, { code: 'CW-LIFETIME' });
  },
};
