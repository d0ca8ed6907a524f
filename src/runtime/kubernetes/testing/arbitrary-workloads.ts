// Any workloads that make sense together, for laws: each names what it has, and peers that let it in.
import fc from 'fast-check';
import {
  bindRef,
  type Container,
  configRef,
  type Ingress,
  listenRef,
  type Mount,
  peerRef,
  portRef,
  type Ref,
  selfRef,
  type Text,
  text,
  type Volume,
  volumeRef,
  type Workload,
  withSecretMounts,
} from '../../../control-plane/index.ts';

const programs = ['etcd', 'kube-apiserver', 'konnectivity-server', 'kube-scheduler'] as const;

interface ContainerShape {
  readonly program: (typeof programs)[number];
  readonly ports: number;
  readonly secrets: readonly { readonly name: string; readonly key: string }[];
  readonly configs: number;
  readonly reloads: boolean;
  readonly volumes: boolean;
}

interface Shape {
  readonly stateful: boolean;
  readonly replicas: number;
  readonly containers: readonly ContainerShape[];
  readonly volumes: readonly ('data' | 'logs' | 'sockets')[];
  /** Of each port, who comes: bits of all workloads, the last one is the gateway. */
  readonly from: readonly number[];
}

const containerShape: fc.Arbitrary<ContainerShape> = fc.record({
  program: fc.constantFrom(...programs),
  ports: fc.integer({ min: 1, max: 3 }),
  secrets: fc.array(fc.record({ name: fc.constantFrom('ca', 'own'), key: fc.constantFrom('tls.crt', 'tls.key') }), {
    maxLength: 3,
  }),
  configs: fc.integer({ min: 0, max: 2 }),
  reloads: fc.boolean(),
  volumes: fc.boolean(),
});

const shape: fc.Arbitrary<Shape> = fc.record({
  stateful: fc.boolean(),
  replicas: fc.integer({ min: 1, max: 3 }),
  containers: fc.array(containerShape, { minLength: 1, maxLength: 3 }),
  volumes: fc.uniqueArray(fc.constantFrom('data', 'logs', 'sockets'), { maxLength: 3 }),
  from: fc.array(fc.nat({ max: 31 }), { minLength: 9, maxLength: 9 }),
});

export const arbitraryWorkloads: fc.Arbitrary<Workload[]> = fc
  .array(shape, { minLength: 1, maxLength: 4 })
  .map((shapes) => {
    const names = shapes.map((_, at) => `part-${at}`);
    const ingresses = shapes.map((one) => ingressOf(one, names));
    return shapes.map((one, at) => workloadOf(one, at, ingresses));
  });

const portName = (container: number, port: number): string => `port-${container}-${port}`;
const portNames = ({ containers }: Shape): string[] =>
  containers.flatMap(({ ports }, container) => Array.from({ length: ports }, (_, port) => portName(container, port)));

const ingressOf = (one: Shape, names: readonly string[]): Ingress[] =>
  portNames(one)
    .map((port, at) => ({
      port,
      from: [...names, 'gateway'].filter((_, bit) => ((one.from[at] ?? 0) & (1 << bit)) !== 0),
    }))
    .filter(({ from }) => from.length > 0);

function workloadOf(one: Shape, at: number, ingresses: readonly Ingress[][]): Workload {
  const name = `part-${at}`;
  // Only stateful workloads keep data.
  const kinds = one.volumes.filter((kind) => one.stateful || kind !== 'data');
  const volumes = kinds.map((kind): Volume => ({ name: `its-${kind}`, kind, size: '1Gi' }));
  const ingress = ingresses[at] ?? [];
  const peers = ingresses.flatMap((entries, other) =>
    entries.filter(({ from }) => from.includes(name) && other !== at).map(({ port }) => peerRef(`part-${other}`, port)),
  );
  const own = (container: number): Text[] => {
    const open = ingress.filter(({ port }) => port.startsWith(`port-${container}-`));
    const members = open.filter(({ from }) => one.stateful && from.includes(name));
    return [
      ...open.map(({ port }) => text`--self=https://${selfRef(port)}`),
      ...members.map(({ port }): Text => ({ ref: 'members', port, scheme: 'https' })),
      { ref: 'replica' },
    ];
  };
  const containers = one.containers.map((container, index) =>
    withSecretMounts(
      containerOf(container, { name: index === 0 ? name : `${name}-${index}`, index, volumes, peers, own: own(index) }),
    ),
  );
  return {
    name,
    replicas: one.replicas,
    stateful: one.stateful,
    containers,
    volumes: used(volumes, containers),
    ingress,
  };
}

const used = (volumes: readonly Volume[], containers: readonly Container[]): Volume[] =>
  volumes.filter(({ name }) => containers.some(({ mounts }) => mounts.some((mount) => mount.name === name)));

interface ContainerContext {
  readonly name: string;
  readonly index: number;
  readonly volumes: readonly Volume[];
  readonly peers: readonly Ref[];
  readonly own: readonly Text[];
}

function containerOf(one: ContainerShape, { name, index, volumes, peers, own }: ContainerContext): Container {
  const ports = Array.from({ length: one.ports }, (_, port) => ({
    name: portName(index, port),
    number: 1000 + index * 10 + port,
  }));
  const secrets = one.secrets.map((secret): Ref => ({ ref: 'secret', ...secret }));
  const configs = Array.from(
    { length: one.configs },
    (_, at): Mount => ({
      kind: 'config',
      name: `config-${at}.json`,
      content: { json: { files: secrets, peers: peers.map((peer) => text`https://${peer}`), paths: ['/healthz'] } },
      reloads: one.reloads,
    }),
  );
  const mounted = one.volumes ? volumes : [];
  const first = portName(index, 0);
  return {
    name,
    program: { name: one.program },
    args: [
      ...ports.flatMap((port) => [
        text`--listen=https://${listenRef(port.name)}`,
        text`--bind-address=${bindRef(port.name)}`,
        text`--port=${portRef(port.name)}`,
      ]),
      ...secrets,
      ...configs.map((mount) => text`--config=${configRef(mount.name)}`),
      ...mounted.map((volume) => text`--file=${volumeRef(volume.name, 'some.file')}`),
      ...peers.map((peer) => text`--peer=https://${peer}`),
      ...own,
    ],
    ports,
    mounts: [...configs, ...mounted.map((volume): Mount => ({ kind: 'volume', name: volume.name }))],
    probes: { ready: { kind: 'tcp', port: first }, live: { kind: 'http', port: first, path: '/livez' } },
    resources: { cpu: '10m', memory: '32Mi' },
  };
}
