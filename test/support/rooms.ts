// A room is a directory under src. It may import from itself and from the rooms named here, never the other way.

const planning = ['core', 'model', 'plan'];
const wires = ['core', 'net'];
const product = [
  ...planning,
  'net',
  'render',
  'proxy',
  'checks',
  'gateway',
  'agent',
  'konnectivity',
  'programs',
  'pki',
  'sys',
];
const platform = [...product, 'kube', 'control-plane', 'workers', 'up', 'controllers', 'api'];

export const roomsBelow: Record<string, readonly string[]> = {
  core: [],
  // This machine: files, limits, processes.
  sys: ['core'],
  model: ['core'],
  plan: ['core', 'model'],
  render: planning,
  proxy: planning,
  // Probes speak TLS, CONNECT and PROXY protocol themselves.
  checks: [...planning, 'net'],
  net: ['core'],
  programs: ['core', 'sys'],
  pki: ['core'],
  gateway: wires,
  agent: wires,
  konnectivity: wires,
  kube: product,
  'control-plane': [...product, 'kube'],
  // The worker side of a platform on one machine: agents, demo nodes, a real one.
  workers: [...product, 'kube', 'control-plane'],
  up: [...product, 'kube', 'control-plane', 'workers'],
  controllers: [...product, 'kube', 'control-plane'],
  api: [...product, 'kube', 'control-plane', 'up'],
  cli: platform,
};

/** The room of a file under src, or undefined for files elsewhere. */
export const roomOf = (file: string): string | undefined => /^src\/([^/]+)\//.exec(file)?.[1];
