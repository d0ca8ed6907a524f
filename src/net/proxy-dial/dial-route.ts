// Takes the steps to a gateway one after the other. The first that fails says why, and nothing stays open.
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { hostPort } from '../../core/host-port.ts';
import { type HttpProxy, proxyName } from '../proxy-url.ts';
import type { Presented } from '../tls/certificate.ts';
import { thisMachine } from '../wire/dial.ts';
import { wireOfDuplex } from '../wire/duplex-wire.ts';
import { wireOfTls } from '../wire/tls-wire.ts';
import type { Wire } from '../wire/wire.ts';
import { askProxy, ClosedEarly, NotAProxy } from './ask-proxy.ts';
import { diagnoseConnect, diagnoseResolve, diagnoseSilence } from './diagnose.ts';
import { type Asked, diagnoseAnswer, diagnoseNoHttp } from './diagnose-answer.ts';
import { diagnoseAlpn, diagnoseCertificate, diagnoseHandshake, type Handshake } from './diagnose-tls.ts';
import { addressesOf, connectFirst, connectTo } from './happy-eyeballs.ts';
import type { DialOptions, Route, Trusting } from './route.ts';
import { CertificateRefused, rememberSession, type Secured, type SecureOptions, secure, sessionFor } from './secure.ts';
import { type Diagnosis, DialSteps } from './steps.ts';

export interface Dialled {
  readonly wire: Wire;
  /** What TLS settled on; undefined without TLS. */
  readonly alpn: string | undefined;
  readonly presented: Presented | undefined;
  /** TLS took up an earlier session. */
  readonly resumed: boolean;
}

export async function dialRoute(route: Route, options: DialOptions = {}): Promise<Dialled> {
  const steps = new DialSteps(route.timeouts, options);
  const { proxy, tls } = route;
  if (proxy === undefined && tls === undefined) return plain(await reach(steps, route, 'gateway', route.gateway));
  const socket = proxy === undefined ? await direct(steps, route) : await throughProxy(steps, route, proxy());
  if (tls === undefined) return plain(wireOfDuplex(socket));
  const trusting = tls.trusting();
  const handshake = gatewayHandshake(route, tls.serverName, trusting);
  const secured = await shake(steps, 'tls-gateway', socket, handshake, { ...tls, context: trusting.context });
  return {
    wire: wireOfTls(secured.socket),
    alpn: secured.alpn,
    presented: secured.presented,
    resumed: secured.socket.isSessionReused(),
  };
}

const plain = (wire: Wire): Dialled => ({ wire, alpn: undefined, presented: undefined, resumed: false });

const direct = async (steps: DialSteps, route: Route): Promise<Socket> =>
  (await reach(steps, route, 'gateway', route.gateway)).toSocket();

async function reach(
  steps: DialSteps,
  route: Route,
  to: 'proxy' | 'gateway',
  { host, port }: Route['gateway'],
): Promise<Wire> {
  const peer = hostPort(host, port);
  const { dial, resolve } = route.vantage ?? thisMachine;
  const addresses = await steps.run(`resolve-${to}`, host, {
    work: () => addressesOf(host, resolve),
    detail: (found) => found.slice(0, 4).join(', '),
    explain: (error) => diagnoseResolve(host, error),
  });
  return steps.run(`connect-${to}`, peer, {
    work: (signal) => connectFirst(addresses, connectTo(dial, port, steps.timeouts.connect), signal),
    detail: (wire) => hostPort(wire.remote.address, wire.remote.port),
    explain: (error) => diagnoseConnect(peer, error),
  });
}

async function throughProxy(steps: DialSteps, route: Route, proxy: HttpProxy): Promise<Socket> {
  const wire = await reach(steps, route, 'proxy', proxy);
  const open = wire.toSocket();
  const socket = proxy.scheme === 'http' ? open : await secureProxy(steps, route, proxy, open);
  const target = hostPort(route.gateway.host, route.gateway.port);
  const { credentials } = proxy;
  const asked: Asked = {
    proxy: proxyName(proxy),
    target,
    port: route.gateway.port,
    withCredentials: credentials !== undefined,
  };
  await steps.run('ask-proxy', asked.proxy, {
    work: (signal) => askProxy(socket, { ...route.gateway, credentials }, signal),
    detail: ({ statusLine }) => statusLine,
    explain: (error) => diagnoseAsking(asked, error),
    refuse: (answer) => (answer.status < 300 ? undefined : diagnoseAnswer(asked, answer)),
    cleanUp: () => quietlyDestroy(socket),
  });
  return socket;
}

function diagnoseAsking(asked: Asked, error: NodeJS.ErrnoException): Diagnosis {
  if (error instanceof NotAProxy) return diagnoseNoHttp(asked, error.why, error.start);
  if (error instanceof ClosedEarly || error.code === 'ECONNRESET') return diagnoseSilence(asked.proxy, asked.target);
  return diagnoseConnect(asked.proxy, error);
}

async function secureProxy(steps: DialSteps, route: Route, proxy: HttpProxy, socket: Socket): Promise<TLSSocket> {
  const trusting = route.proxyTrusting?.();
  if (trusting === undefined) throw new Error('a proxy with https:// needs to know whom to trust');
  const handshake: Handshake = {
    peer: proxyName(proxy),
    serverName: proxy.host,
    trust: trusting.trust,
    caFlag: '--proxy-ca',
  };
  const options = { serverName: proxy.host, context: trusting.context, alpn: ['http/1.1'] };
  return (await shake(steps, 'tls-proxy', socket, handshake, options)).socket;
}

const gatewayHandshake = (route: Route, serverName: string, { trust }: Trusting): Handshake => ({
  peer: hostPort(route.gateway.host, route.gateway.port),
  serverName,
  trust,
  caFlag: '--ca',
  nameFlag: '--name',
  ...(route.proxy === undefined ? {} : { proxy: proxyName(route.proxy()) }),
});

async function shake(
  steps: DialSteps,
  step: 'tls-proxy' | 'tls-gateway',
  socket: Socket,
  handshake: Handshake,
  options: SecureOptions,
): Promise<Secured> {
  const wanted = step === 'tls-gateway' ? (options.alpn ?? []) : [];
  const key = `${handshake.peer} ${options.serverName}`;
  const session = sessionFor(options.context, key);
  const secured = await steps.run(step, handshake.peer, {
    work: (signal) => secure(socket, { ...options, session }, signal),
    detail: ({ protocol, alpn, presented }) => describe(protocol, alpn, presented),
    explain: (error) =>
      error instanceof CertificateRefused
        ? diagnoseCertificate(handshake, error.code, error.presented)
        : diagnoseHandshake(handshake, error, wanted),
    refuse: ({ alpn, presented }) =>
      wanted.length === 0 || wanted.includes(alpn ?? '') ? undefined : diagnoseAlpn(handshake, wanted, presented),
    cleanUp: () => quietlyDestroy(socket),
  });
  rememberSession(secured.socket, options.context, key);
  return secured;
}

function describe(protocol: string, alpn: string | undefined, presented: Presented | undefined): string {
  const certificate =
    presented === undefined ? 'no certificate' : `${presented.subject}; issued by ${presented.issuer}`;
  const until = presented === undefined ? '' : `; until ${presented.validTo}`;
  return `${protocol}${alpn === undefined ? '' : ` ${alpn}`}: ${certificate}${until}`;
}

function quietlyDestroy(socket: Socket): void {
  socket.on('error', () => {}).destroy();
}
