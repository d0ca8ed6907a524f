// One container of a pod: program, arguments, ports, mounts, probes and what it may do.
import { type Container, type Mount, type Probe, resolveContent, resolveText } from '../../control-plane/index.ts';
import { imageOf } from './images.ts';
import { byName, directories, type Place } from './names.ts';
import { configResolverOf, escaped, podVariables, resolverOf, volumeDirectory } from './resolve.ts';

const secretsVolume = (container: Container): string => `secrets-${container.name}`;
const configVolume = (container: Container): string => `config-${container.name}`;

export function containerOf(place: Place, container: Container): object {
  const { reference, command, capabilities } = imageOf(container.program, place.input.images);
  const resolver = resolverOf(place, container);
  const args = container.args.map((arg) => resolveText(escaped(arg), resolver));
  const env = Object.entries(container.env ?? {}).map(([name, value]) => ({
    name,
    value: resolveText(escaped(value), resolver),
  }));
  return {
    name: container.name,
    image: reference,
    command,
    args,
    ...some('env', [...variablesFor([...args, ...env.map(({ value }) => value)]), ...env]),
    ...some(
      'ports',
      container.ports.map(({ name, number }) => ({ name, containerPort: number, protocol: 'TCP' })),
    ),
    ...some('volumeMounts', mountsOf(place, container)),
    ...probesOf(container),
    // No limits: one that is too small ends an API server whenever its cluster grows.
    resources: { requests: { ...container.resources } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'], ...some('add', capabilities) },
    },
  };
}

const some = <Name extends string, Value>(name: Name, values: readonly Value[]): object =>
  values.length === 0 ? {} : { [name]: values };

/** Only what is named; before the others, which may name it too. */
const variablesFor = (values: readonly string[]): object[] =>
  Object.entries(podVariables)
    .filter(([name]) => values.some((value) => value.replaceAll('$$', '').includes(`$(${name})`)))
    .map(([name, fieldPath]) => ({ name, valueFrom: { fieldRef: { fieldPath } } }));

const isOf =
  <Kind extends Mount['kind']>(kind: Kind) =>
  (mount: Mount): mount is Extract<Mount, { readonly kind: Kind }> =>
    mount.kind === kind;
const secretsOf = ({ mounts }: Container) => mounts.filter(isOf('secret'));
export const configsOf = ({ mounts }: Container) => mounts.filter(isOf('config'));

/** Whole directories: what is mounted as a single file is never renewed. */
function mountsOf({ workload }: Place, container: Container): object[] {
  const readOnly = (name: string, mountPath: string): object => ({ name, mountPath, readOnly: true });
  return [
    ...(secretsOf(container).length > 0 ? [readOnly(secretsVolume(container), directories.secrets)] : []),
    ...(configsOf(container).length > 0 ? [readOnly(configVolume(container), directories.configs)] : []),
    ...container.mounts.filter(isOf('volume')).map(({ name, readOnly: isReadOnly = false }) => ({
      name,
      mountPath: volumeDirectory(byName(workload.volumes, name)),
      ...(isReadOnly && { readOnly: true }),
    })),
  ];
}

/** The group of the pod reads its files, and nobody else. */
const groupReads = 0o440;

/** Of each container: the keys and certificates that it names and no others, and its configs. */
export const fileVolumesOf = (container: Container): object[] => [
  ...projected(secretsVolume(container), secretSources(container)),
  ...projected(configVolume(container), configSources(container)),
];

const projected = (name: string, sources: readonly object[]): object[] =>
  sources.length === 0 ? [] : [{ name, projected: { defaultMode: groupReads, sources } }];

const secretSources = (container: Container): object[] =>
  [...Map.groupBy(secretsOf(container), ({ name }) => name)].map(([name, mounts]) => ({
    secret: { name, items: mounts.map(({ key }) => ({ key, path: `${name}/${key}` })) },
  }));

/** Their ConfigMap has the name of the container. */
function configSources(container: Container): object[] {
  const items = configsOf(container).map(({ name }) => ({ key: name, path: name }));
  return items.length === 0 ? [] : [{ configMap: { name: container.name, items } }];
}

/** Contents by name, as the program finds them. */
export const configData = (place: Place, container: Container): Record<string, string> =>
  Object.fromEntries(
    configsOf(container).map(({ name, content }) => [
      name,
      resolveContent(content, configResolverOf(place, container)),
    ]),
  );

const period = { ready: 5, start: 5, live: 30 } as const;
/** Where the local runtime only says that a start takes long, the kubelet starts anew: so it waits for longer. */
const startupFactor = 4;

function probesOf({ probes: { ready, live }, startMs = 60_000 }: Container): object {
  const readinessProbe = { ...asked(ready), periodSeconds: period.ready, timeoutSeconds: 5, failureThreshold: 3 };
  if (live === undefined) return { readinessProbe };
  return {
    readinessProbe,
    // Three minutes: a server under load answers late, and starting it anew adds to the load.
    livenessProbe: { ...asked(live), periodSeconds: period.live, timeoutSeconds: 15, failureThreshold: 6 },
    startupProbe: {
      ...asked(live),
      periodSeconds: period.start,
      timeoutSeconds: 5,
      failureThreshold: Math.ceil((startMs * startupFactor) / 1000 / period.start),
    },
  };
}

/** The kubelet looks at no certificate. */
const asked = (probe: Probe): object =>
  probe.kind === 'tcp'
    ? { tcpSocket: { port: probe.port } }
    : { httpGet: { path: probe.path, port: probe.port, scheme: probe.kind.toUpperCase() } };
