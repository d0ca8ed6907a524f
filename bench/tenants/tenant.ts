// One tenant's cluster of real programs, and how it is asked: by its person's own certificate, at the API server itself.
import { load } from 'js-yaml';
import type { KubeAccess } from '../../src/kube/index.ts';
import { startScene } from '../../test/e2e/control-plane/scene.ts';
import type { UndoList } from '../../test/support/gateway/undo.ts';

export interface Tenant {
  readonly access: KubeAccess;
}

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly 'certificate-authority-data': string } }];
  readonly users: readonly [
    { readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string } },
  ];
}

export async function startTenant(undo: UndoList): Promise<Tenant> {
  const { cluster, server } = await startScene(undo);
  const { text } = await cluster.kubeconfig({ person: 'bench', role: 'admin' }, { server });
  return { access: accessOf(server, text) };
}

function accessOf(server: string, kubeconfig: string): KubeAccess {
  const { clusters, users } = load(kubeconfig) as Kubeconfig;
  const plain = (base64: string): string => Buffer.from(base64, 'base64').toString();
  const { user } = users[0];
  return {
    server,
    ca: plain(clusters[0].cluster['certificate-authority-data']),
    cert: plain(user['client-certificate-data']),
    key: plain(user['client-key-data']),
  } as KubeAccess;
}
