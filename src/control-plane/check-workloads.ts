// Whether every name in a list of workloads leads somewhere: then any runtime can resolve them.
import { type Container, type Mount, type Ref, refsOf, type Text, type Tree, type Workload } from './workload.ts';

/** Who may connect besides workloads of the list. */
const outside: readonly string[] = ['gateway'];

/** Nothing where all is right, otherwise one line per problem. */
export const checkWorkloads = (workloads: readonly Workload[]): string[] => [
  ...twice('workload', workloads.map(nameOf)),
  ...twice('container', allContainers(workloads).map(nameOf)),
  ...workloads.flatMap((workload) => [
    ...portProblems(workload),
    ...volumeProblems(workload),
    ...ingressProblems(workload, workloads),
    ...workload.containers.flatMap((container) => containerProblems(container, workload, workloads)),
  ]),
  ...orderProblems(workloads),
];

const nameOf = ({ name }: { readonly name: string }): string => name;
const allContainers = (workloads: readonly Workload[]): Container[] =>
  workloads.flatMap(({ containers }) => containers);

const twice = (what: string, names: readonly (string | number)[]): string[] =>
  names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${what} ${name} is there twice`);

/** Containers of a workload share one address. */
function portProblems({ name, containers }: Workload): string[] {
  const ports = containers.flatMap((container) => container.ports);
  const numbers = ports.map(({ number }) => number);
  return [...twice(`${name}: port`, ports.map(nameOf)), ...twice(`${name}: port number`, numbers)];
}

function volumeProblems({ name, volumes, containers }: Workload): string[] {
  const mounts = containers.flatMap((container) => container.mounts.filter((mount) => mount.kind === 'volume'));
  return [
    ...twice(`${name}: volume`, volumes.map(nameOf)),
    ...volumes
      .filter((volume) => !mounts.some((mount) => mount.name === volume.name && mount.readOnly !== true))
      .map((volume) => `${name}: nobody writes to the volume ${volume.name}`),
    ...mounts
      .filter((mount) => !volumes.some((volume) => volume.name === mount.name))
      .map((mount) => `${name}: mounts the volume ${mount.name}, which is not declared`),
  ];
}

function ingressProblems(workload: Workload, workloads: readonly Workload[]): string[] {
  const known = [...workloads.map(nameOf), ...outside];
  return workload.ingress.flatMap(({ port, from }) => [
    ...(hasPort(workload, port) ? [] : [`${workload.name}: lets others in at port ${port}, which is not declared`]),
    ...from
      .filter((peer) => !known.includes(peer))
      .map((peer) => `${workload.name}: lets ${peer} in, which is not there`),
  ]);
}

const hasPort = ({ containers }: Workload, port: string): boolean =>
  containers.some(({ ports }) => ports.some(({ name }) => name === port));

function containerProblems(container: Container, workload: Workload, workloads: readonly Workload[]): string[] {
  const files = container.mounts.map(fileName);
  return [
    ...twice(`${container.name}: mount`, files),
    ...refsOf(container)
      .map((ref) => refProblem(ref, container, workload, workloads))
      .filter((problem) => problem !== undefined)
      .map((problem) => `${container.name}: ${problem}`),
  ];
}

const fileName = (mount: Mount): string =>
  mount.kind === 'secret' ? `secret ${mount.name}/${mount.key}` : `${mount.kind} ${mount.name}`;

function refProblem(
  ref: Ref,
  container: Container,
  workload: Workload,
  workloads: readonly Workload[],
): string | undefined {
  switch (ref.ref) {
    case 'secret':
      return mountProblem(container, `secret ${ref.name}/${ref.key}`);
    case 'config':
    case 'volume':
      return mountProblem(container, `${ref.ref} ${ref.name}`);
    case 'peer':
      return peerProblem(ref, workload, workloads);
    case 'replica':
      return undefined;
    default:
      return container.ports.some(({ name }) => name === ref.port)
        ? undefined
        : `refers to port ${ref.port}, which it does not declare`;
  }
}

const mountProblem = ({ mounts }: Container, wanted: string): string | undefined =>
  mounts.some((mount) => fileName(mount) === wanted) ? undefined : `refers to ${wanted}, which it does not mount`;

function peerProblem(
  ref: Extract<Ref, { ref: 'peer' }>,
  { name }: Workload,
  workloads: readonly Workload[],
): string | undefined {
  const peer = workloads.find((workload) => workload.name === ref.workload);
  if (peer === undefined || !hasPort(peer, ref.port))
    return `refers to ${ref.workload}:${ref.port}, which is not there`;
  const isLetIn = peer.ingress.some(({ port, from }) => port === ref.port && from.includes(name));
  return isLetIn || peer.name === name
    ? undefined
    : `connects to ${ref.workload}:${ref.port}, which does not let it in`;
}

/** What a container waits for is there, and does not wait for it in turn. */
function orderProblems(workloads: readonly Workload[]): string[] {
  const before = new Map(
    allContainers(workloads).map(({ name, needs = [], after = [] }) => [name, [...needs, ...after]]),
  );
  const waitsFor = (name: string, seen: readonly string[] = []): readonly string[] =>
    (before.get(name) ?? []).flatMap((other) =>
      seen.includes(other) ? [other] : [other, ...waitsFor(other, [...seen, other])],
    );
  return [...before].flatMap(([name, others]) => [
    ...others.filter((other) => !before.has(other)).map((other) => `${name}: waits for ${other}, which is not there`),
    ...(waitsFor(name).includes(name) ? [`${name}: waits for itself`] : []),
  ]);
}

/** Texts that only one machine can mean: absolute paths and loopback addresses. URL paths within configs are none. */
export const machineTexts = (workloads: readonly Workload[]): string[] =>
  allContainers(workloads).flatMap(({ args, env = {}, restartOn = {}, mounts }) => [
    ...[...args, ...Object.values(env), ...Object.values(restartOn)]
      .flatMap(literals)
      .filter((text) => /(^|[=,])\//.test(text) || loopback.test(text)),
    ...mounts
      .flatMap((mount) => (mount.kind === 'config' ? literals(contentOf(mount)) : []))
      .filter((text) => systemPath.test(text) || loopback.test(text)),
  ]);

const loopback = /\b127\.\d+\.\d+\.\d+\b|\blocalhost\b|(^|[^\da-f:])::1(?![\da-f:])/i;
const systemPath =
  /(^|[\s'"=:,])\/(bin|boot|dev|etc|home|lib|media|mnt|opt|private|proc|root|run|srv|sys|tmp|usr|var)\b/;

const contentOf = ({ content }: Extract<Mount, { kind: 'config' }>): Tree => Object.values(content)[0] as Tree;

function literals(tree: Tree | Text): string[] {
  if (typeof tree === 'string') return [tree];
  if (typeof tree !== 'object' || 'ref' in tree) return [];
  return Object.values(tree).flatMap(literals);
}
