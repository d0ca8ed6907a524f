// What an agent is told, checked at once: every mistake is one that a person can mend.
import { isIP, SocketAddress } from 'node:net';
import { graceMs } from '../core/duration.ts';
import { CausewayError } from '../core/errors.ts';
import { type HostPort, parseHostPort } from '../core/host-port.ts';
import {
  type AdminPlace,
  adminAddressText,
  type HttpProxy,
  parseProxyUrl,
  readAdminPlace,
  usualAdminSocket,
} from '../net/index.ts';

export type TransportChoice = 'auto' | 'trunk' | 'h2';

/** Flags as they come from the command line. */
export interface AgentFlags {
  readonly gateway?: readonly string[];
  readonly cluster?: string;
  readonly listen?: string;
  readonly proxy?: string;
  readonly proxyCredentialsFile?: string;
  readonly proxyCa?: string;
  readonly ca?: string;
  readonly name?: string;
  readonly tokenFile?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly authority?: string;
  readonly transport?: string;
  readonly plaintext?: boolean;
  readonly admin?: string;
  readonly adminTokenFile?: string;
  readonly grace?: string;
}

export interface AgentOptions {
  readonly gateways: readonly HostPort[];
  readonly cluster: string;
  readonly listen: HostPort;
  readonly authority: string;
  /** Name of the tunnel in the certificate; absent: the host of each gateway. */
  readonly name?: string;
  readonly plaintext: boolean;
  readonly transport: TransportChoice;
  readonly ca?: string;
  readonly tokenFile?: string;
  readonly certificate?: { readonly certFile: string; readonly keyFile: string };
  readonly proxy?: HttpProxy;
  readonly proxyCredentialsFile?: string;
  readonly proxyCa?: string;
  /** Absent: none is served. */
  readonly admin?: AdminPlace;
  readonly graceMs: number;
}

export const defaultListen = '100.64.30.10:6443';
export const defaultGrace = '20s';

export function readOptions(flags: AgentFlags, environment: NodeJS.ProcessEnv = {}): AgentOptions {
  refuseContradictions(flags);
  const cluster = readCluster(flags.cluster);
  return {
    gateways: readGateways(flags.gateway),
    cluster,
    listen: readListen(flags.listen ?? defaultListen),
    authority: readAuthority(flags.authority, cluster),
    plaintext: flags.plaintext ?? false,
    transport: readTransport(flags.transport ?? 'auto'),
    graceMs: readGrace(flags.grace ?? defaultGrace),
    ...readIdentity(flags),
    ...readProxy(flags, environment),
    ...readAdmin(flags, environment),
  };
}

const wrong = (code: string, message: string, fix: string): CausewayError =>
  new CausewayError(`CW-AGENT-${code}`, message, fix);

function refuseContradictions(flags: AgentFlags): void {
  const identities = [flags.tokenFile, flags.cert ?? flags.key].filter((one) => one !== undefined);
  if (identities.length > 1) throw wrong('IDENTITY', 'both a token and a certificate were given', 'give one of them');
  if ((flags.cert === undefined) !== (flags.key === undefined))
    throw wrong('IDENTITY', 'a certificate needs its key', 'give --cert FILE and --key FILE');
  if (flags.plaintext && identities.length > 0)
    throw wrong(
      'PLAINTEXT',
      'with --plaintext everybody on the way could read the token, so it is not sent',
      'leave out --plaintext, or the credentials for a gateway whose tunnel takes agents without any',
    );
  if (flags.plaintext && (flags.ca ?? flags.name) !== undefined)
    throw wrong('PLAINTEXT', 'there is no certificate to check with --plaintext', 'leave out --ca and --name');
}

function readCluster(text: string | undefined): string {
  if (text !== undefined && /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)) return text;
  if (text === undefined) throw wrong('CLUSTER', 'no cluster was named', 'give --cluster ID');
  throw wrong('CLUSTER', `"${text}" is not the id of a cluster`, 'it has up to 63 small letters, digits and hyphens');
}

function readGateways(texts: readonly string[] = []): HostPort[] {
  if (texts.length === 0) throw wrong('GATEWAY', 'no gateway was named', 'give --gateway HOST:PORT, once or more');
  return texts.map((text) => {
    const found = parseHostPort(text);
    if (found !== undefined && found.port > 0) return found;
    throw wrong('GATEWAY', `"${text}" is no gateway`, 'write HOST:PORT, 192.0.2.1:443 or [2001:db8::1]:443');
  });
}

function readListen(text: string): HostPort {
  const found = parseHostPort(text);
  if (found !== undefined && isIP(found.host) > 0) return { ...found, host: canonical(found.host) };
  throw wrong('LISTEN', `"${text}" is no address to listen on`, `write an address with a port, as in ${defaultListen}`);
}

/** As the system shows it. */
const canonical = (address: string): string =>
  new SocketAddress({ address, family: isIP(address) === 6 ? 'ipv6' : 'ipv4' }).address;

/** Labels of host names have at most 63 letters, and the default puts eight in front of the id. */
const longestLabel = 63;
function defaultAuthority(cluster: string): string {
  const namespace = `cluster-${cluster}`;
  if (namespace.length <= longestLabel) return `apiserver-external.${namespace}.svc.cluster.local:443`;
  throw wrong(
    'CLUSTER',
    `"${cluster}" has ${cluster.length} letters; ids of more than 55 make no host name of the form apiserver-external.cluster-ID…`,
    "give --authority HOST:PORT as the gateway's snapshot has it for this cluster",
  );
}

function readAuthority(text: string | undefined, cluster: string): string {
  if (text === undefined) return defaultAuthority(cluster);
  if (parseHostPort(text) !== undefined) return text;
  throw wrong('AUTHORITY', `"${text}" is no authority`, 'write HOST:PORT as in the snapshot of the gateway');
}

const transports: readonly string[] = ['auto', 'trunk', 'h2'] satisfies TransportChoice[];
function readTransport(text: string): TransportChoice {
  if (transports.includes(text)) return text as TransportChoice;
  throw wrong('TRANSPORT', `there is no transport "${text}"`, `use ${transports.join(', ')}`);
}

function readGrace(text: string): number {
  const ms = graceMs(text);
  if (ms !== undefined) return ms;
  throw wrong('GRACE', `"${text}" is no duration`, 'write 20s, 5m, or 0 for no grace');
}

function readIdentity({ ca, name, tokenFile, cert, key }: AgentFlags): Partial<AgentOptions> {
  if (name !== undefined && parseHostPort(`${name}:1`) === undefined && isIP(name) === 0)
    throw wrong('NAME', `"${name}" is no name of a tunnel`, "write it as the gateway's snapshot has it (tunnel.name)");
  const certificate = cert === undefined || key === undefined ? undefined : { certFile: cert, keyFile: key };
  return defined({ ca, name, tokenFile, certificate });
}

function readProxy(flags: AgentFlags, environment: NodeJS.ProcessEnv): Partial<AgentOptions> {
  const url = flags.proxy ?? environment.CAUSEWAY_PROXY;
  const { proxyCredentialsFile, proxyCa } = flags;
  if (url !== undefined && url !== '') return defined({ proxy: parseProxyUrl(url), proxyCredentialsFile, proxyCa });
  const useless = proxyCredentialsFile ?? proxyCa;
  if (useless === undefined) return {};
  throw wrong('PROXY', `${useless} is for a proxy, and none was named`, 'give --proxy URL or set CAUSEWAY_PROXY');
}

function readAdmin({ admin, adminTokenFile }: AgentFlags, environment: NodeJS.ProcessEnv): Partial<AgentOptions> {
  if (admin === 'off') return {};
  const text = admin ?? adminAddressText(usualAdminSocket('agent', environment));
  return { admin: readAdminPlace(text, adminTokenFile) };
}

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
