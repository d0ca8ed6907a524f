// Kubeconfigs: for people with everything inside, for programs with the names of files that are renewed under them.
import { dump } from 'js-yaml';
import type { Access } from './control-plane.ts';

/** Texts are put inside; files are named, so that whoever reads the kubeconfig sees new ones. */
export type KubeconfigUser =
  | { readonly cert: string; readonly key: string }
  | { readonly token: string }
  | { readonly certFile: string; readonly keyFile: string }
  | { readonly tokenFile: string };

export interface KubeconfigNames {
  readonly cluster: string;
  readonly user: string;
}

/** `ca` is PEM, or the file it is in. */
export function kubeconfigText(
  access: Access,
  ca: string | { readonly file: string },
  user: KubeconfigUser,
  names: KubeconfigNames = { cluster: 'cluster', user: 'user' },
): string {
  const context = `${names.user}@${names.cluster}`;
  return dump(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: names.cluster, cluster: { ...wayOf(access), ...trustOf(ca) } }],
      users: [{ name: names.user, user: userOf(user) }],
      contexts: [{ name: context, context: { cluster: names.cluster, user: names.user } }],
      'current-context': context,
    },
    { lineWidth: -1 },
  );
}

const wayOf = ({ server, serverName, proxy }: Access): Record<string, string> => ({
  server,
  ...(serverName === undefined ? {} : { 'tls-server-name': serverName }),
  ...(proxy === undefined ? {} : { 'proxy-url': proxy }),
});

const trustOf = (ca: string | { readonly file: string }): Record<string, string> =>
  typeof ca === 'string' ? { 'certificate-authority-data': base64(ca) } : { 'certificate-authority': ca.file };

function userOf(user: KubeconfigUser): Record<string, string> {
  if ('token' in user) return { token: user.token };
  if ('tokenFile' in user) return { tokenFile: user.tokenFile };
  if ('certFile' in user) return { 'client-certificate': user.certFile, 'client-key': user.keyFile };
  return { 'client-certificate-data': base64(user.cert), 'client-key-data': base64(user.key) };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
