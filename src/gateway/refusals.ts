// Why a connection was not carried: stable codes, a sentence for the log and the answer, and what to do about it.

export type RefusalCode =
  | 'no-sni'
  | 'unknown-sni'
  | 'ip-as-sni'
  | 'not-tls'
  | 'plain-http'
  | 'hello-too-large'
  | 'hello-timeout'
  | 'hello-malformed'
  | 'handshake-failed'
  | 'no-certificate'
  | 'bad-proxy-header'
  | 'source-not-allowed'
  | 'too-many-connections'
  | 'too-many-streams'
  | 'too-fast'
  | 'no-backend'
  | 'no-descriptors'
  | 'no-authority'
  | 'unknown-authority'
  | 'not-connect'
  | 'no-credentials'
  | 'bad-token'
  | 'expired-token'
  | 'foreign-token'
  | 'nodeless-token'
  | 'evicted-node'
  | 'revoked-token'
  | 'wrong-cluster'
  | 'bad-certificate'
  | 'headers-too-large'
  | 'too-many-resets'
  | 'too-many-refusals'
  | 'too-much-unread'
  | 'too-many-opens'
  | 'too-many-signatures'
  | 'too-many-half-open'
  | 'draining';

/** TLS alerts by number (RFC 8446, section 6). */
export const tlsAlerts = { accessDenied: 49, internalError: 80, missingExtension: 109, unrecognizedName: 112 } as const;

export interface Refusal {
  readonly sentence: string;
  readonly fix: string;
  /** How a tunnel answers by HTTP. */
  readonly status: number;
  /** TLS alert; absent where the client does not speak TLS, or has had its time. */
  readonly alert?: number;
}

const { accessDenied, internalError, missingExtension, unrecognizedName } = tlsAlerts;

export const refusals: Readonly<Record<RefusalCode, Refusal>> = {
  'no-sni': {
    sentence: 'The TLS ClientHello names no server (SNI), and this port tells clusters apart by that name.',
    fix: 'Connect by the cluster’s host name, not by address; or set tls-server-name in the kubeconfig.',
    status: 400,
    alert: missingExtension,
  },
  'unknown-sni': {
    sentence: 'No cluster has the server name (SNI) that the client asked for.',
    fix: 'Compare the name with the snapshot’s sni entries; a typing error, or a cluster that is not there yet.',
    status: 404,
    alert: unrecognizedName,
  },
  'ip-as-sni': {
    sentence: 'The client put an IP address where TLS wants a host name (SNI).',
    fix: 'Connect by the cluster’s host name, or set tls-server-name in the kubeconfig.',
    status: 400,
    alert: unrecognizedName,
  },
  'not-tls': {
    sentence: 'The client does not speak TLS, and this port carries nothing else.',
    fix: 'Use https or a TLS client. A balancer that sends PROXY protocol must be among the trusted balancers.',
    status: 400,
  },
  'plain-http': {
    sentence: 'The client sent a plain HTTP request to a TLS port.',
    fix: 'Use https:// instead of http://.',
    status: 400,
  },
  'hello-too-large': {
    sentence: 'The TLS ClientHello is larger than 16 KiB.',
    fix: 'No common client sends that much: find out what the client is.',
    status: 431,
    alert: accessDenied,
  },
  'hello-timeout': {
    sentence: 'The client did not finish its first message in time.',
    fix: 'Look for a path that loses large packets (MTU), for a port scan, or for a health check that sends nothing.',
    status: 408,
  },
  'hello-malformed': {
    sentence: 'The TLS ClientHello breaks the rules of TLS.',
    fix: 'Find out what the client is; a scanner, or something between that changes bytes.',
    status: 400,
    alert: accessDenied,
  },
  'handshake-failed': {
    sentence: 'The agent and the tunnel did not agree on TLS; the log names the alert.',
    fix: 'For unknown_ca or bad_certificate give the agent the gateway’s authority (--ca FILE); else compare TLS versions and names.',
    status: 400,
  },
  'no-certificate': {
    sentence: 'An agent speaks TLS to the tunnel, and the gateway has no certificate to show.',
    fix: 'Make one with causeway gateway pki, and name its files under tunnel.certificate in the snapshot.',
    status: 503,
    alert: internalError,
  },
  'bad-proxy-header': {
    sentence: 'A trusted balancer did not send a valid PROXY protocol header.',
    fix: 'Turn PROXY protocol (v1 or v2) on at the balancer, or take its network out of the trusted balancers.',
    status: 400,
  },
  'source-not-allowed': {
    sentence: 'The client’s address is not in the cluster’s allowed source ranges.',
    fix: 'Add its network to allowedSourceRanges; behind a balancer, turn PROXY protocol on and trust the balancer.',
    status: 403,
    alert: accessDenied,
  },
  'too-many-connections': {
    sentence: 'The cluster has as many open connections as its limit allows.',
    fix: 'Raise maxConnections of the cluster, or find the client that opens so many (live connections show it).',
    status: 429,
    alert: accessDenied,
  },
  'too-many-streams': {
    sentence: 'The agent has more connections open in one tunnel than a tunnel carries.',
    fix: 'Find the client that opens so many. Causeway’s agents take another tunnel by themselves; let others do so too.',
    status: 429,
  },
  'too-fast': {
    sentence: 'More new connections arrive for the cluster than its limit allows per second.',
    fix: 'Raise connectionsPerSecond of the cluster, or find the client that reconnects all the time.',
    status: 429,
    alert: accessDenied,
  },
  'no-backend': {
    sentence: 'No backend of the cluster accepted the connection.',
    fix: 'See that the control plane runs, and that the gateway reaches the addresses under backends.',
    status: 503,
    alert: internalError,
  },
  'no-descriptors': {
    sentence: 'The gateway has as many open files as it may, and this client or its cluster has had its share.',
    fix: 'Allow the gateway more open files (ulimit -n, LimitNOFILE), or find out who opens so many connections.',
    status: 503,
    alert: internalError,
  },
  'no-authority': {
    sentence: 'The CONNECT request names no authority.',
    fix: 'Send the authority of the cluster’s service, as the snapshot spells it.',
    status: 400,
  },
  'unknown-authority': {
    sentence: 'No cluster has the authority that the CONNECT request asks for.',
    fix: 'Compare it with the snapshot’s authority entries, port included.',
    status: 404,
  },
  'not-connect': {
    sentence: 'The tunnel carries CONNECT requests only.',
    fix: 'Point a Causeway agent, or a proxy that speaks HTTP/2 CONNECT, at this port.',
    status: 405,
  },
  'no-credentials': {
    sentence: 'The tunnel asks for credentials, and the agent sent none.',
    fix: 'Give the agent the cluster’s token file or client certificate.',
    status: 407,
  },
  'bad-token': {
    sentence: 'The agent’s token is not well formed, or its signature is wrong.',
    fix: 'Issue the token anew and see that the file holds nothing else.',
    status: 407,
  },
  'expired-token': {
    sentence: 'The agent’s token has expired.',
    fix: 'Issue a new token; if it should still be valid, compare the clocks.',
    status: 407,
  },
  'foreign-token': {
    sentence: 'The agent’s token was signed by a key that this gateway does not know.',
    fix: 'Issue the token with the key of this seed, or add its public key to the snapshot.',
    status: 407,
  },
  'nodeless-token': {
    sentence: 'The agent’s token is of its cluster’s service account, and names no node.',
    fix: 'Ask for a token that is bound to a node, or to a pod on one (boundObjectRef in the TokenRequest).',
    status: 407,
  },
  'evicted-node': {
    sentence: 'The node that the agent’s token names was evicted from its cluster.',
    fix: 'See why with causeway cluster evicted-nodes CLUSTER; causeway cluster readmit-node CLUSTER NODE takes it back.',
    status: 403,
  },
  'revoked-token': {
    sentence: 'The agent’s token names no node, and is older than the last eviction of a node from its cluster.',
    fix: 'Run what causeway cluster join CLUSTER prints on the machine: its agent gets a token that names its node.',
    status: 403,
  },
  'wrong-cluster': {
    sentence: 'The agent’s credentials are for another cluster than the one it asks for.',
    fix: 'Give the agent the credentials of its own cluster.',
    status: 403,
  },
  'bad-certificate': {
    sentence: 'The agent’s client certificate is missing, expired, or not signed by a known authority.',
    fix: 'Issue a certificate with the tunnel’s client authority: O=causeway:tunnel, CN=cluster.',
    status: 403,
    alert: accessDenied,
  },
  'headers-too-large': {
    sentence: 'The request’s headers are larger than the gateway reads.',
    fix: 'CONNECT needs an authority and credentials only: find out what adds the rest.',
    status: 431,
  },
  'too-many-resets': {
    sentence: 'The agent, alone or with others, opened and reset so many streams that its tunnel was closed.',
    fix: 'Find out what the agent is; Causeway’s and Envoy’s do not do that.',
    status: 429,
  },
  'too-many-refusals': {
    sentence: 'The peer asked in vain so often that its tunnel was closed.',
    fix: 'The refusals before this one say what is wrong: give the agent good credentials, or find out what the peer is.',
    status: 429,
  },
  'too-much-unread': {
    sentence: 'The connection was reset: its reader stands still, and as many unread bytes are held as may be.',
    fix: 'Find the program that opens connections and does not read them; the backend for what agents send.',
    status: 503,
  },
  'too-many-opens': {
    sentence: 'The agent asks for more new connections per second than one tunnel may.',
    fix: 'Find the client behind the agent that connects all the time.',
    status: 429,
  },
  'too-many-signatures': {
    sentence: 'More tokens that were never seen before arrive than the gateway checks per second.',
    fix: 'Connect again in a moment. If it lasts, find the source of the flood and stop it in front of the gateway.',
    status: 429,
  },
  'too-many-half-open': {
    sentence: 'Too many clients connected without saying what they want and who they are; the oldest had to go.',
    fix: 'Find the source of the flood and stop it in front of the gateway.',
    status: 429,
  },
  draining: {
    sentence: 'This gateway is about to stop and takes no new connections.',
    fix: 'Connect again: another gateway, or the next one in this place, answers.',
    status: 503,
    alert: internalError,
  },
};

/** Fatal alert as a TLS record, ready to send. Shared: must not be written to. */
const alertRecords = new Map<number, Buffer>(
  Object.values(tlsAlerts).map((alert) => [alert, Buffer.from([0x15, 3, 3, 0, 2, 2, alert])]),
);

/** What a client of a TLS port gets before the close: bytes it can read, or nothing. */
export function answerOf(code: RefusalCode): Buffer | undefined {
  if (code === 'plain-http') return plainHttpAnswer;
  const { alert } = refusals[code];
  return alert === undefined ? undefined : alertRecords.get(alert);
}

const plainHttpText = `${refusals['plain-http'].sentence}\n${refusals['plain-http'].fix}\n`;
const plainHttpAnswer = Buffer.from(
  `HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n` +
    `content-length: ${Buffer.byteLength(plainHttpText)}\r\n\r\n${plainHttpText}`,
);
