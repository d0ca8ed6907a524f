// A judge of rendered objects, which knows nothing of Workloads: reads the texts that programs are given, and looks for
// every file, port and host that they name in the objects, as kubelet, DNS and network policies would.
import type { KubeObject } from '../../../kube/index.ts';
import {
  admits,
  type ContainerObject,
  type ControllerObject,
  configMapsIn,
  containersIn,
  controllersIn,
  labelsOfPods,
  policiesIn,
  portIn,
  type ServiceObject,
  selectedBy,
  selects,
  servicesIn,
} from './rendered.ts';

export interface Verdict {
  /** What was found in the texts, for tests that want to know that something was. */
  readonly references: readonly string[];
  readonly problems: readonly string[];
}

interface Pod {
  readonly objects: readonly KubeObject[];
  readonly controller: ControllerObject;
}
interface Subject extends Pod {
  readonly container: ContainerObject;
}

export function judgeReferences(objects: readonly KubeObject[]): Verdict {
  const references: string[] = [];
  const problems: string[] = [];
  const add = (where: string, found: readonly Finding[]): void => {
    references.push(...found.map(({ reference }) => `${where}: ${reference}`));
    problems.push(
      ...found.flatMap(({ reference, problem }) => (problem ? [`${where}: ${reference}: ${problem}`] : [])),
    );
  };
  for (const controller of controllersIn(objects)) {
    const pod = { objects, controller };
    add(controller.metadata.name, podFindings(pod));
    for (const container of containersIn(controller)) {
      const where = `${controller.metadata.name}/${container.name}`;
      const subject = { ...pod, container };
      add(where, [...mountFindings(subject), ...probeFindings(subject)]);
      for (const text of textsOf(subject)) add(where, textFindings(subject, text));
    }
  }
  add('services', serviceFindings(objects));
  add('policies', policyFindings(objects));
  add('config maps', configMapFindings(objects));
  return { references, problems };
}

interface Finding {
  readonly reference: string;
  readonly problem?: string | undefined;
}

const wrongIf = (reference: string, isWrong: boolean, problem: string): Finding => ({
  reference,
  problem: isWrong ? problem : undefined,
});

/** A pod has one network and one list of volumes. */
function podFindings({ objects, controller }: Pod): Finding[] {
  const containers = containersIn(controller);
  const ports = containers.flatMap(({ ports: own = [] }) => own);
  const mounted = new Set(containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name)));
  const twice = <Value>(values: readonly Value[]): boolean => new Set(values).size < values.length;
  const { serviceName, template } = controller.spec;
  const governs = ({ metadata, spec }: ServiceObject): boolean =>
    metadata.name === serviceName && spec.clusterIP === 'None' && selects(spec.selector, template.metadata.labels);
  return [
    wrongIf(
      'its Service',
      serviceName !== undefined && !servicesIn(objects).some(governs),
      'there is none for its pods',
    ),
    wrongIf('ports', twice(ports.map(({ containerPort }) => containerPort)), 'a number is there twice'),
    wrongIf('port names', twice(ports.map(({ name }) => name)), 'a name is there twice'),
    ...volumeNames(controller).map((name) => wrongIf(`volume ${name}`, !mounted.has(name), 'nobody mounts it')),
  ];
}

const volumeNames = ({ spec }: ControllerObject): string[] => [
  ...spec.template.spec.volumes.map(({ name }) => name),
  ...(spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name),
];

const mountFindings = ({ controller, container }: Subject): Finding[] =>
  (container.volumeMounts ?? []).map(({ name }) =>
    wrongIf(`volume ${name}`, !volumeNames(controller).includes(name), 'the pod has none of that name'),
  );

const probeFindings = ({ container }: Subject): Finding[] =>
  [container.readinessProbe, container.livenessProbe, container.startupProbe]
    .flatMap((probe) => probe?.httpGet?.port ?? probe?.tcpSocket?.port ?? [])
    .map((port) => ({ reference: `probe of port ${port}`, problem: unreachable([container], port) }));

/** From outside of the pod, as the kubelet and whoever comes by a Service are. */
function unreachable(containers: readonly ContainerObject[], port: string | number): string | undefined {
  const number = portIn(containers, port);
  if (number === undefined) return 'no container declares it';
  return containers.some((container) => isInside(container, number)) ? 'it is bound to loopback' : undefined;
}

/** As --x-bind-address with --x-port or --secure-port, or as the address of a listener. */
const isInside = ({ args, ports = [] }: ContainerObject, number: number): boolean =>
  ports.some(({ containerPort }) => containerPort === number) &&
  args.some((arg) => {
    const [, prefix] = /^--((?:[a-z]+-)?)bind-address=127\./.exec(arg) ?? [];
    const isOfPort = prefix !== undefined && args.some((other) => other === `--${prefix || 'secure-'}port=${number}`);
    return isOfPort || addressesIn(arg).some(({ host, port }) => loopback.includes(host) && port === number);
  });

interface Text {
  readonly text: string;
  /** Configurations name paths of URLs too. */
  readonly isConfig: boolean;
}

const textsOf = (subject: Subject): Text[] => [
  ...[...subject.container.args, ...(subject.container.env ?? []).flatMap(({ value }) => value ?? [])].map((text) => ({
    text,
    isConfig: false,
  })),
  ...mountedConfigs(subject).map((text) => ({ text, isConfig: true })),
];

/** What the container reads of ConfigMaps. */
function mountedConfigs({ objects, controller, container }: Subject): string[] {
  const mounted = (container.volumeMounts ?? []).map(({ name }) => name);
  const volumes = controller.spec.template.spec.volumes.filter(({ name }) => mounted.includes(name));
  return volumes
    .flatMap(({ projected }) => projected?.sources ?? [])
    .flatMap(({ configMap }) => configMap?.items.map(({ key }) => configMapValue(objects, configMap.name, key)) ?? [])
    .filter((text) => text !== undefined);
}

const configMapValue = (objects: readonly KubeObject[], name: string, key: string): string | undefined =>
  configMapsIn(objects).find(({ metadata }) => metadata.name === name)?.data[key];

function textFindings(subject: Subject, { text, isConfig }: Text): Finding[] {
  const addresses = addressesIn(text);
  // What is left are no addresses and no paths of URLs.
  const rest = addresses.reduce((left, { whole }) => left.replace(whole, ' '), text.replaceAll(url, ' '));
  return [
    ...variablesIn(text).map((name) => variableFinding(subject, name)),
    ...addresses.map((address) => addressFinding(subject, address)),
    ...pathsIn(rest, isConfig).map((path) => pathFinding(subject, path)),
    ...[...text.matchAll(portFlag)].map(([, port]) => listenFinding(subject, Number(port))),
  ];
}

const portFlag = /^--[\w-]*port=([1-9]\d*)$/g;
const url = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"',]*/g;
const path = /(?<![\w.:/-])\/[\w.-]+(?:\/[\w.-]+)*/g;
/** Where files are. The paths of the API of Kubernetes begin with other words. */
const roots = /^\/(bin|boot|dev|etc|home|lib|lib64|media|mnt|opt|private|proc|root|run|sbin|srv|sys|tmp|usr|var)\//;

const pathsIn = (text: string, isConfig: boolean): string[] =>
  [...text.matchAll(path)].map(([found]) => found).filter((found) => !isConfig || roots.test(found));

const variablesIn = (text: string): string[] =>
  [...text.replaceAll('$$', '').matchAll(/\$\((\w+)\)/g)].map(([, name]) => name ?? '');

const variableFinding = ({ container }: Subject, name: string): Finding =>
  wrongIf(`$(${name})`, !container.env?.some((variable) => variable.name === name), 'it has no such variable');

/** Mounted there, and where the volume is made of single files, one of them. */
function pathFinding({ objects, controller, container }: Subject, file: string): Finding {
  const isBelow = (mountPath: string): boolean => file === mountPath || file.startsWith(`${mountPath}/`);
  const mount = container.volumeMounts?.find(({ mountPath }) => isBelow(mountPath));
  if (mount === undefined) return { reference: file, problem: 'nothing is mounted there' };
  const volume = controller.spec.template.spec.volumes.find(({ name }) => name === mount.name);
  if (volume?.projected === undefined) return { reference: file };
  const inside = file.slice(mount.mountPath.length + 1);
  const isThere = volume.projected.sources.some(({ secret, configMap }) => {
    const item = [...(secret?.items ?? []), ...(configMap?.items ?? [])].find((each) => each.path === inside);
    if (item === undefined) return false;
    return configMap === undefined || configMapValue(objects, configMap.name, item.key) !== undefined;
  });
  return wrongIf(file, !isThere, `the volume ${mount.name} has no such file`);
}

interface Address {
  readonly whole: string;
  readonly host: string;
  readonly port: number;
}

const addressesIn = (text: string): Address[] =>
  [
    ...text.matchAll(/(?<![\w.:-])((?:\$\(\w+\)|[a-zA-Z0-9])(?:[\w.-]*\w)?|\[[0-9a-f:]+\]):([1-9]\d{0,4})(?![\w.:-])/g),
  ].map(([whole, host = '', port]) => ({ whole, host, port: Number(port) }));

const loopback = ['127.0.0.1', 'localhost', '[::1]'];
const ownHosts = [...loopback, '$(POD_IP)'];
const allAddresses = ['0.0.0.0', '[::]'];

function addressFinding(subject: Subject, { whole, host, port }: Address): Finding {
  const { controller } = subject;
  if (allAddresses.includes(host)) return listenFinding(subject, port);
  // Another container of the pod may be meant.
  if (ownHosts.includes(host))
    return wrongIf(whole, portIn(containersIn(controller), port) === undefined, 'no container of the pod declares it');
  return { reference: whole, problem: serviceProblem(subject, host, port) };
}

const listenFinding = ({ container }: Subject, port: number): Finding =>
  wrongIf(`port ${port}`, portIn([container], port) === undefined, 'it does not declare it');

/** Names of Services and of pods behind them, as the DNS of Kubernetes has them. */
function serviceProblem({ objects, controller }: Subject, host: string, port: number): string | undefined {
  const labels = host.split('.');
  const svc = labels.indexOf('svc');
  if (svc < 2) return 'it is no name of a Service';
  const [namespace, name, pod, ...deeper] = labels.slice(0, svc).toReversed();
  const service = servicesIn(objects).find(({ metadata }) => metadata.name === name);
  if (service === undefined || service.metadata.namespace !== namespace) return `there is no Service ${name}`;
  const targets = selectedBy(service.spec.selector, objects);
  const [target] = targets;
  if (target === undefined || targets.length > 1) return `the Service ${name} selects ${targets.length} workloads`;
  const portProblem = servicePortProblem(service, target, port);
  if (portProblem !== undefined) return portProblem;
  if (deeper.length > 0) return 'it has too many labels';
  if (pod !== undefined && !isPodOf(controller, target, pod, service.metadata.name)) return `there is no pod ${pod}`;
  // Its own name is for others.
  if (pod === '$(POD_NAME)') return undefined;
  if (!admits(objects, labelsOfPods(controller), labelsOfPods(target), port)) return 'no policy lets it in';
  return undefined;
}

function servicePortProblem(
  { metadata, spec }: ServiceObject,
  target: ControllerObject,
  port: number,
): string | undefined {
  const found = spec.ports?.find((each) => each.port === port);
  if (found === undefined) return `the Service ${metadata.name} has no port ${port}`;
  const number = portIn(containersIn(target), found.targetPort);
  if (number === undefined) return `${target.metadata.name} declares no port ${found.targetPort}`;
  // Without an address of its own a Service changes no port number.
  if (number !== port) return `port ${port} is ${number} in the pod`;
  return undefined;
}

function isPodOf(own: ControllerObject, target: ControllerObject, pod: string, service: string): boolean {
  if (target.kind !== 'StatefulSet' || target.spec.serviceName !== service) return false;
  if (pod === '$(POD_NAME)') return own === target;
  const ordinal = Number(pod.slice(target.metadata.name.length + 1));
  return pod === `${target.metadata.name}-${ordinal}` && ordinal < target.spec.replicas;
}

const serviceFindings = (objects: readonly KubeObject[]): Finding[] =>
  servicesIn(objects).flatMap(({ metadata, spec }) => {
    const [target, ...others] = selectedBy(spec.selector, objects);
    const one = wrongIf(metadata.name, target === undefined || others.length > 0, 'it does not select one workload');
    if (target === undefined) return [one];
    const ports = (spec.ports ?? []).map(({ targetPort }) => ({
      reference: `${metadata.name}:${targetPort}`,
      problem: unreachable(containersIn(target), targetPort),
    }));
    return [one, ...ports];
  });

/** Whoever is let in comes by a Service; that of a StatefulSet is for its own pods. */
const policyFindings = (objects: readonly KubeObject[]): Finding[] =>
  policiesIn(objects).flatMap(({ metadata, spec }) =>
    selectedBy(spec.podSelector.matchLabels, objects).flatMap((target) =>
      (spec.ingress ?? []).flatMap(({ ports, from }) => {
        const isForOthers = from.some(({ podSelector }) => !selects(podSelector?.matchLabels, labelsOfPods(target)));
        const services = servicesIn(objects)
          .filter((service) => selects(service.spec.selector, labelsOfPods(target)))
          .filter((service) => !isForOthers || service.spec.clusterIP !== 'None');
        return ports.map(({ port }) => {
          const isServed = services.some((service) => servicePortProblem(service, target, port) === undefined);
          return wrongIf(`${metadata.name}:${port}`, !isServed, 'no Service leads there');
        });
      }),
    ),
  );

const configMapFindings = (objects: readonly KubeObject[]): Finding[] => {
  const mounted = controllersIn(objects)
    .flatMap(({ spec }) => spec.template.spec.volumes)
    .flatMap(({ projected }) => projected?.sources ?? [])
    .flatMap(({ configMap }) => configMap?.items.map(({ key }) => `${configMap.name}/${key}`) ?? []);
  return configMapsIn(objects).flatMap(({ metadata, data }) =>
    Object.keys(data).map((key) =>
      wrongIf(`${metadata.name}/${key}`, !mounted.includes(`${metadata.name}/${key}`), 'nobody mounts it'),
    ),
  );
};
