// A runtime of this machine without Kubernetes: what is asked of it is written down, and control planes are ready when they are told to be.
import type { ControlPlaneInput, Scope } from '../../control-plane/index.ts';
import { getOrAdd } from '../../core/collections.ts';
import type { HostPort } from '../../core/host-port.ts';
import type { TokenAuthority } from '../../net/index.ts';
import type { KubernetesVersions } from '../../programs/index.ts';
import { reconciled, type Verdict, verdictFalse, verdictTrue } from '../../reconcile/index.ts';
import { machineOf } from '../../runtime/local/index.ts';
import type { ControlPlaneUpstreams, PlatformDriver, PlatformRuntime } from '../../runtime/platform-runtime.ts';

/** Every version but those whose minor is 99 can be had. */
export const fakeVersions: KubernetesVersions = {
  offered: async () => ({
    items: [
      { version: '1.36.3', here: true, tested: true },
      { version: '1.36.1', here: false, tested: true },
      { version: '1.35.4', here: false, tested: false },
    ],
  }),
  availability: async (version) =>
    version.startsWith('1.99.')
      ? { state: 'absent', because: `downloads.example.com has no Kubernetes ${version}` }
      : { state: 'available', because: '' },
};

export interface FakeRuntime extends PlatformRuntime {
  /** "reconcile shop", "remove cluster/shop" … in the order in which it came. */
  readonly asked: string[];
  readonly inputs: Map<string, ControlPlaneInput & { readonly upstreams: ControlPlaneUpstreams }>;
  /** Why a control plane cannot be brought up. */
  readonly failures: Map<string, string>;
  /** Who signs tokens of a control plane, once it is known. */
  readonly tokenAuthorities: Map<string, TokenAuthority>;
  /** Control planes that were brought up and do not answer yet. */
  readonly silent: Set<string>;
}

let port = 20_000 + (process.pid % 1000) * 10;
const upstream = (): HostPort => ({ host: '127.0.0.1', port: port++ });

/** Of the platform whose manifests are in this directory. */
export function fakeRuntime(directory: string): FakeRuntime {
  const asked: string[] = [];
  const inputs: FakeRuntime['inputs'] = new Map();
  const failures = new Map<string, string>();
  const silent = new Set<string>();
  const tokenAuthorities: FakeRuntime['tokenAuthorities'] = new Map();
  const chosen = new Map<string, ControlPlaneUpstreams>();
  const ready = (name: string): Verdict => {
    if (!inputs.has(name)) return verdictFalse('NotStarted', 'it is being started');
    return silent.has(name) ? verdictFalse('Silent', 'it is not ready yet') : verdictTrue();
  };
  return {
    ...machineOf({ directory }),
    asked,
    inputs,
    failures,
    silent,
    tokenAuthorities,
    driver: () => fakeDriver(asked),
    versions: fakeVersions,
    async controlPlane({ name, changed }) {
      const upstreams = getOrAdd(chosen, name, () => ({ apiServer: upstream(), konnectivity: upstream() }));
      return {
        upstreams,
        async reconcile(input) {
          asked.push(`reconcile ${name}`);
          const failure = failures.get(name);
          if (failure !== undefined) throw new Error(failure);
          inputs.set(name, { ...input, upstreams });
          changed();
          return reconciled;
        },
        observe() {
          const tokenAuthority = tokenAuthorities.get(name);
          const nodes = { ready: 0, total: 0, leaving: [] };
          return { ready: ready(name), conditions: [], nodes, ...(tokenAuthority && { tokenAuthority }) };
        },
        desireNodes: (kind) => void asked.push(`nodes of ${kind} ${name}`),
        kubeconfig: async ({ person, role, ttlMs = 0 }, { server, serverName }) => ({
          ...{ id: 'one', person, role, createdAt: 0, endsAt: ttlMs },
          text: `${role} ${server} ${serverName}`,
        }),
        kubeconfigs: async () => [],
        revokeKubeconfig: async () => false,
        workerCredentials: () => Promise.reject(new Error('there are no workers')),
        kubeletCertificate: () => Promise.reject(new Error('there are no workers')),
        bootstrapToken: () => Promise.reject(new Error('there are no workers')),
        applyJoinedWorkers: async () => void asked.push(`own workers ${name}`),
        hasJoinedWorkers: async () => asked.includes(`own workers ${name}`),
        hasSharedToken: async () => false,
        joinedNodes: () => [],
        nodeToken: () => Promise.reject(new Error('there are no workers')),
        giveNodeToken: () => Promise.reject(new Error('there are no workers')),
        applyEvictions: async (nodes) => void (nodes.length > 0 && asked.push(`evicts ${nodes.join()} of ${name}`)),
        revokeJoinTokens: async () => void asked.push(`revokes join tokens of ${name}`),
        async remove() {
          asked.push(`remove ${name}`);
          inputs.delete(name);
        },
        stop: () => void asked.push(`stop ${name}`),
      };
    },
    workers: () => {
      throw new Error('there are no workers');
    },
  };
}

const fakeDriver = (asked: string[]): PlatformDriver => ({
  apply: () => {},
  remove: async (scope: Scope) => void asked.push(`driver removes ${scope}`),
  look: () => [],
  onChange: () => () => {},
  tail: async () => [],
  follow: () => () => {},
  stop: async () => void asked.push('driver stops'),
  getting: () => [],
});
