// Where the page is to be served, from the command line: wrong flags are refused before anything is started.
import { isLoopbackName, namesIn, readCertificate, type TlsFiles } from '../../api/index.ts';
import { CausewayError } from '../../core/errors.ts';
import { formatCidr, parseCidr } from '../../core/ip.ts';

/** As they come from the command line. */
export interface PageFlags {
  readonly apiAddress: string;
  readonly port?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly url?: string;
  /** Networks of balancers before it. */
  readonly trustedProxy?: readonly string[];
  readonly claim?: string;
  readonly role?: readonly string[];
}

export interface PagePlace {
  readonly address: string;
  /** Absent: the usual one. */
  readonly port?: number;
  readonly tls?: TlsFiles;
  /** Nobody but people at this machine. */
  readonly isLocal: boolean;
  /** What it is reached by, besides loopback: the address, names in the certificate, and the one of the URL. */
  readonly names: readonly string[];
  /** The name to tell people. */
  readonly name: string;
  readonly url?: string;
  /** Networks of balancers that say whom they speak for. */
  readonly trustedProxies: readonly string[];
}

export function pagePlace(flags: PageFlags): PagePlace {
  const { apiAddress: address, url } = flags;
  const isLocal = isLoopbackName(address);
  const port = readPort(flags.port);
  const tls = readPair(flags);
  if (!isLocal && tls === undefined) throw notEncrypted(address);
  const certified = tls === undefined ? [] : namesIn(readCertificate(tls).cert);
  return {
    address,
    isLocal,
    trustedProxies: (flags.trustedProxy ?? []).map(readNetwork),
    names: [address, ...certified, ...(url === undefined ? [] : [readUrl(url).hostname])],
    // Browsers complain about any other, and 0.0.0.0 is no address to go to.
    name: certified.includes(address) ? address : (certified[0] ?? address),
    ...(port === undefined ? {} : { port }),
    ...(tls === undefined ? {} : { tls }),
    ...(url === undefined ? {} : { url }),
  };
}

function readNetwork(text: string): string {
  try {
    return formatCidr(parseCidr(text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`));
  } catch {
    throw new CausewayError(
      'CW-CLI-NETWORK',
      `"${text}" is no network`,
      'write 10.0.0.0/8, or the address of a balancer',
    );
  }
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new CausewayError('CW-CLI-PORT', `"${text}" is no port`, 'write 0 to 65535; 0 is any free one');
}

function readPair({ tlsCert: certFile, tlsKey: keyFile }: PageFlags): TlsFiles | undefined {
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  if (certFile === keyFile) return undefined;
  const [given, missing] = certFile === undefined ? ['--tls-key', '--tls-cert'] : ['--tls-cert', '--tls-key'];
  throw new CausewayError('CW-API-CERTIFICATE', `${given} is of no use alone`, `add ${missing} FILE`);
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new CausewayError('CW-CLI-URL', `"${text}" is no address of a page`, 'write https://causeway.example.com');
}

const notEncrypted = (address: string): CausewayError =>
  new CausewayError(
    'CW-API-OPEN',
    `the page is not served on ${address} without TLS: others could read along`,
    'add --tls-cert FILE and --tls-key FILE, or leave out --api-address to serve this machine only',
  );
