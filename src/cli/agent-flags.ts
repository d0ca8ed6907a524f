// The flags of `causeway agent`. The command line describes them with its package; a machine without packages reads them with
// Node alone.

export interface AgentFlag {
  readonly name: string;
  readonly short?: string;
  /** What its value is called; absent: it has none. */
  readonly value?: string;
  readonly text: string;
  readonly default?: string;
  readonly kind?: 'required' | 'list' | 'duration';
  readonly choices?: readonly string[];
}

/** The usual one depends on the environment, so it is no default that the parser could know. */
export const adminForms = (program: string): string =>
  `unix:PATH, or 127.0.0.1:PORT with a token (default: ${program}.sock in $RUNTIME_DIRECTORY, $XDG_RUNTIME_DIR/causeway or /tmp/causeway-UID)`;

export const agentDescription = 'carry connections of this machine to the API server of a cluster, through a gateway';

export const agentFlags: readonly AgentFlag[] = [
  { name: 'gateway', value: 'host:port', text: 'a gateway; may be repeated', kind: 'list' },
  { name: 'cluster', value: 'id', text: 'the cluster', kind: 'required' },
  {
    ...{ name: 'listen', value: 'address:port', text: 'where pods connect to; added to lo if missing' },
    default: '100.64.30.10:6443',
  },
  { name: 'proxy', value: 'url', text: 'HTTP proxy on the way, http:// or https:// (or CAUSEWAY_PROXY)' },
  { name: 'proxy-credentials-file', value: 'file', text: 'file with user:password for the proxy' },
  {
    ...{ name: 'proxy-ca', value: 'file' },
    text: 'authorities for a proxy with https:// (default: those of the system)',
  },
  { name: 'ca', value: 'file', text: 'authorities for the gateway (default: those of the system)' },
  {
    ...{ name: 'name', value: 'name' },
    text: 'name of the tunnel in the certificate (default: host of the gateway)',
  },
  { name: 'token-file', value: 'file', text: 'token of this cluster, read again when it changes' },
  { name: 'cert', value: 'file', text: 'client certificate instead of a token' },
  { name: 'key', value: 'file', text: 'its key' },
  {
    ...{ name: 'authority', value: 'host:port' },
    text: 'what to ask the gateway for (default: the API server of the cluster)',
  },
  {
    ...{ name: 'transport', value: 'name', text: 'what to speak with the gateway' },
    ...{ choices: ['auto', 'trunk', 'h2'], default: 'auto' },
  },
  { name: 'plaintext', text: 'without TLS and credentials, for a gateway in compatibility mode' },
  { name: 'admin', value: 'address', text: `health and metrics: off, ${adminForms('agent')}` },
  { name: 'admin-token-file', value: 'file', text: 'bearer token that is asked for at an admin address with a port' },
  {
    ...{ name: 'grace', value: 'duration', text: 'how long open connections may go on after SIGTERM' },
    ...{ kind: 'duration', default: '20s' },
  },
  { name: 'check', text: 'try the way once, tell each hop, and end' },
  {
    ...{ name: 'output', short: 'o', value: 'format', text: 'format of --check' },
    ...{ choices: ['text', 'json'], default: 'text' },
  },
];
