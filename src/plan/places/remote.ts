// Host and port of services that belong to somebody else, out of the ways in which manifests write them.
import { isIP } from 'node:net';

export interface Remote {
  readonly host: string;
  readonly port: number;
}

const defaultPorts: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80, 'ssh:': 22, 'git:': 9418 };

/** The schema has refused everything that is no URL; what has no host (a local path) has no remote either. */
export function remoteOfUrl(text: string): Remote | undefined {
  const url = URL.parse(text);
  if (url === null || url.hostname === '') return undefined;
  const port = url.port === '' ? defaultPorts[url.protocol] : Number(url.port);
  return port === undefined ? undefined : { host: withoutBrackets(url.hostname), port };
}

/** `host:port`, an IPv6 address in brackets. */
export function remoteOfEndpoint(text: string): Remote {
  const colon = text.lastIndexOf(':');
  return { host: withoutBrackets(text.slice(0, colon)), port: Number(text.slice(colon + 1)) };
}

/** A URL, or what git calls the scp-like form: `git@host:path`. */
export function remoteOfGit(text: string): Remote | undefined {
  if (text.includes('://')) return remoteOfUrl(text);
  const host = /^(?:[^@/]+@)?([^:/]+):/.exec(text)?.[1];
  return host === undefined ? undefined : { host, port: 22 };
}

const withoutBrackets = (host: string): string => (host.startsWith('[') ? host.slice(1, -1) : host);
export const isAddress = (host: string): boolean => isIP(host) !== 0;
