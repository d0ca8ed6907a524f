// A room is a directory under src. It may import from itself and from the rooms named here, never the other way.

const planning = ['core', 'model', 'plan'];
const wires = ['core', 'sys', 'net'];
const product = [
  ...planning,
  'net',
  'render',
  'manifests',
  'proxy',
  'checks',
  'gateway',
  'agent',
  'konnectivity',
  'programs',
  'pki',
  'sys',
];
const everything = [...product, 'kube', 'control-plane', 'reconcile', 'runtime', 'platform', 'operator', 'api'];

export const roomsBelow: Record<string, readonly string[]> = {
  core: [],
  // This machine: files, limits, processes.
  sys: ['core'],
  model: ['core'],
  plan: ['core', 'model'],
  render: [...planning, 'sys'],
  proxy: planning,
  // A directory of YAML: read and planned, watched, and what was given out written beside it.
  manifests: [...planning, 'sys'],
  // Probes speak TLS, CONNECT and PROXY protocol themselves.
  checks: [...planning, 'net'],
  net: ['core', 'sys'],
  programs: ['core', 'sys'],
  pki: ['core'],
  gateway: wires,
  agent: wires,
  konnectivity: wires,
  kube: product,
  // One loop and one condition for both runtimes.
  reconcile: ['core', 'sys', 'net'],
  'control-plane': [...product, 'kube', 'reconcile'],
  // Workloads as processes of this machine, with its workers; and as objects of Kubernetes.
  runtime: [...product, 'kube', 'control-plane', 'reconcile'],
  platform: [...product, 'kube', 'control-plane', 'reconcile', 'runtime'],
  operator: [...product, 'kube', 'control-plane', 'reconcile', 'runtime'],
  api: [...product, 'kube', 'control-plane', 'reconcile', 'runtime', 'platform'],
  cli: everything,
};

/**
 * Independent primitives, imported file by file: each file is a subject of its own, and one index would load all of them
 * (and ip-bigint) into what carries bytes.
 */
export const primitives: readonly string[] = ['core', 'sys'];

/** Other rooms enter these by the files named here alone, so that what is behind them can change without touching anybody else. */
export const entries: Record<string, readonly string[]> = {
  agent: ['index.ts'],
  // The page takes its types from the schemas.
  api: [
    'index.ts',
    ...['clusters', 'common', 'events', 'network', 'resources', 'session', 'status', 'topology'].map(
      (part) => `schema/${part}.ts`,
    ),
  ],
  'control-plane': ['index.ts'],
  gateway: ['index.ts'],
  kube: ['index.ts'],
  // By side: who binds loads no wires, who accepts a tunnel loads no dialling.
  net: [
    'index.ts',
    'proxy-dial/index.ts',
    'tls/index.ts',
    'tunnel/index.ts',
    'tunnel/h2/index.ts',
    'tunnel/trunk/index.ts',
    'wire/index.ts',
    'wire/native.ts',
  ],
  manifests: ['index.ts'],
  // The schema is for every room, the reader and what is derived from the schema for a few.
  model: ['index.ts', 'schema/index.ts', 'load/index.ts', 'report/index.ts', 'json-schema.ts', 'crd.ts'],
  pki: ['index.ts'],
  // By part of the plan.
  plan: [
    'index.ts',
    'addresses/index.ts',
    'catalogue/index.ts',
    'installation/index.ts',
    'schema/index.ts',
    'schema/parts.ts',
    'settings/index.ts',
  ],
  platform: ['index.ts'],
  programs: ['index.ts', 'catalogue/index.ts'],
  reconcile: ['index.ts'],
  // Text for terminals and documents is needed by commands that render nothing.
  render: ['index.ts', 'text/one-line.ts', 'text/tables.ts', 'text/yaml.ts'],
  // Commands that start nothing load no supervisor.
  runtime: [
    'platform-runtime.ts',
    'kubernetes/index.ts',
    'local/index.ts',
    'local/capabilities.ts',
    'local/home.ts',
    'local/own-path.ts',
    'local/secret-places.ts',
    'local/workers/real/machine.ts',
  ],
};

/** The room of a file under src, or undefined for files elsewhere. */
export const roomOf = (file: string): string | undefined => /^src\/([^/]+)\//.exec(file)?.[1];
