// The HTTPS server of a kubelet, which the API server reaches through konnectivity: it shows logs of pods to the API
// server and to nobody else. There is no exec: a demo node has nothing to run it in but this machine itself.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Issued } from '../../../../pki/index.ts';
import { listening } from '../worker-layout.ts';
import { type PodLogs, readLogQuery, sendLog } from './pod-logs.ts';

export interface KubeletServerOptions {
  readonly address: string;
  readonly port: number;
  /** PEM: who signs the API server's certificate. */
  readonly ca: string;
  readonly own: Issued;
  readonly logs: PodLogs;
}

export interface KubeletServer {
  readonly port: number;
  /** For connections from then on. */
  serveWith(own: Issued): void;
  close(): Promise<void>;
}

/** What the API server calls itself towards kubelets. */
const apiServerName = 'kube-apiserver-kubelet-client';

export async function openKubeletServer({
  address,
  port,
  ca,
  own,
  logs,
}: KubeletServerOptions): Promise<KubeletServer> {
  const tls = { ca, cert: own.certificate, key: own.key, requestCert: true, rejectUnauthorized: true };
  const server = createServer(tls, (request, response) => {
    answer(request, response, logs).catch(() => response.destroy());
  });
  await listening(server, { host: address, port });
  return {
    port: (server.address() as { port: number }).port,
    serveWith: ({ certificate, key }) => server.setSecureContext({ ca, cert: certificate, key }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, logs: PodLogs): Promise<void> {
  const { subject } = (request.socket as TLSSocket).getPeerCertificate();
  if (subject?.CN !== apiServerName) return refuse(response, 403, 'only the API server may ask');
  const url = new URL(request.url ?? '/', 'https://kubelet');
  const [service, ...names] = url.pathname.slice(1).split('/').map(decodeURIComponent);
  if (service !== 'containerLogs' || request.method !== 'GET')
    return refuse(response, 501, 'demo nodes show logs and nothing else; a real worker does the rest');
  const [namespace = '', pod = '', container = ''] = names;
  const file = logs.fileOf(namespace, pod, container);
  const query = readLogQuery(url.searchParams);
  if (file === undefined) return refuse(response, 404, `there is no log of ${container} in ${namespace}/${pod} yet`);
  if (query === undefined) return refuse(response, 400, 'tailLines, limitBytes and sinceSeconds are numbers');
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.writeHead(200, { 'content-type': 'text/plain' });
  await sendLog(file, query, (text) => response.write(text), gone.signal);
  response.end();
}

function refuse(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${why}\n`);
}
