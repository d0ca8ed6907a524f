// The command line of upstream's konnectivity agent, for every worker that runs one: demo nodes, the real worker, and
// machines that others provide.
import type { KonnectivityPlan } from '../../plan/schema/index.ts';

const names = {
  id: 'agent-id',
  serverHost: 'proxy-server-host',
  serverPort: 'proxy-server-port',
  caFile: 'ca-cert',
  tokenFile: 'service-account-token-path',
  healthHost: 'health-server-host',
  healthPort: 'health-server-port',
  adminHost: 'admin-bind-address',
  adminPort: 'admin-server-port',
} as const;

export interface KonnectivityAgentOptions {
  /** As the server tells agents apart. */
  readonly id: string;
  /** Null as long as nobody has chosen an address; nothing is started then. */
  readonly serverHost: KonnectivityPlan['agent']['host'];
  readonly serverPort: KonnectivityPlan['agent']['port'];
  /** Authority of the server's certificate. */
  readonly caFile: string;
  /** Of the account that the server believes; read again when it changes. */
  readonly tokenFile: string;
  readonly planned: KonnectivityPlan['agent'];
  readonly healthHost: string;
  readonly healthPort: number;
  /** @default loopback */
  readonly adminHost?: string;
  readonly adminPort: number;
  /** Further flags, as they are. */
  readonly flags: readonly string[];
}

/** In the order of the keys: an agent that runs would be started again for arguments in another order. */
export const konnectivityAgentArgs = (options: KonnectivityAgentOptions): string[] =>
  Object.keys(options).flatMap((key) => {
    if (key === 'planned') return plannedFlags(options.planned);
    if (key === 'flags') return options.flags;
    const name = key as keyof typeof names;
    return [`--${names[name]}=${options[name]}`];
  });

const plannedFlags = ({ keepalive, syncForever }: KonnectivityPlan['agent']): string[] => [
  `--keepalive-time=${keepalive}`,
  // Without it an agent still comes back to the servers that it knows, for as long as it lives.
  ...(syncForever ? ['--sync-forever'] : []),
];
