// Kubeconfigs: for people with everything inside, for programs with the names of files that are renewed under them.
import { dump } from 'js-yaml';
import type { Access } from './control-plane.ts';
import type { Content, Text, Tree } from './workload.ts';

/** Texts are put inside; files are named, so that whoever reads the kubeconfig sees new ones. */
export type KubeconfigUser<File = string> =
  | { readonly cert: string; readonly key: string }
  | { readonly token: string }
  | { readonly certFile: File; readonly keyFile: File }
  | { readonly tokenFile: File };

export interface KubeconfigNames {
  readonly cluster: string;
  readonly user: string;
}

/** `ca` is PEM, or the file it is in. */
export const kubeconfigText = (
  access: Access,
  ca: string | { readonly file: string },
  user: KubeconfigUser,
  names?: KubeconfigNames,
): string => dump(kubeconfigTree(access, ca, user, names), { lineWidth: -1 });

/** Of a program beside the API server: it names files, so a renewed certificate is seen. */
export const kubeconfigContent = (
  server: Text,
  ca: Text,
  user: { readonly cert: Text; readonly key: Text },
): Content => ({
  yaml: kubeconfigTree({ server }, { file: ca }, { certFile: user.cert, keyFile: user.key }),
});

type AccessOf<Server> = Omit<Access, 'server'> & { readonly server: Server };

function kubeconfigTree(
  access: AccessOf<Text>,
  ca: string | { readonly file: Text },
  user: KubeconfigUser<Text>,
  names: KubeconfigNames = { cluster: 'cluster', user: 'user' },
): Tree {
  const context = `${names.user}@${names.cluster}`;
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: names.cluster, cluster: { ...wayOf(access), ...trustOf(ca) } }],
    users: [{ name: names.user, user: userOf(user) }],
    contexts: [{ name: context, context: { cluster: names.cluster, user: names.user } }],
    'current-context': context,
  };
}

const wayOf = ({ server, serverName, proxy }: AccessOf<Text>): Record<string, Text> => ({
  server,
  ...(serverName === undefined ? {} : { 'tls-server-name': serverName }),
  ...(proxy === undefined ? {} : { 'proxy-url': proxy }),
});

const trustOf = (ca: string | { readonly file: Text }): Record<string, Text> =>
  typeof ca === 'string' ? { 'certificate-authority-data': base64(ca) } : { 'certificate-authority': ca.file };

function userOf(user: KubeconfigUser<Text>): Record<string, Text> {
  if ('token' in user) return { token: user.token };
  if ('tokenFile' in user) return { tokenFile: user.tokenFile };
  if ('certFile' in user) return { 'client-certificate': user.certFile, 'client-key': user.keyFile };
  return { 'client-certificate-data': base64(user.cert), 'client-key-data': base64(user.key) };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
