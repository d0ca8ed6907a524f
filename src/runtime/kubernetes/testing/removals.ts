// Every way to take one thing away from rendered objects, for tests that want to see it missed.
import type { KubeObject } from '../../../kube/index.ts';
import {
  type ContainerObject,
  type ControllerObject,
  configMapsIn,
  controllersIn,
  type PodSpec,
  servicesIn,
} from './rendered.ts';

export interface Removal {
  readonly what: string;
  readonly without: readonly KubeObject[];
}

/** Every way to let one listener be reached from inside of its pod only. */
export const loopbacks = (objects: readonly KubeObject[]): Removal[] =>
  controllersIn(objects).flatMap((controller) =>
    (['initContainers', 'containers'] as const).flatMap((list) =>
      (controller.spec.template.spec[list] ?? []).flatMap((container) =>
        container.args
          .filter((arg) => arg.includes('0.0.0.0'))
          .map((arg) => {
            const args = container.args.map((each) => (each === arg ? each.replace('0.0.0.0', '127.0.0.1') : each));
            return changedPod(objects, controller, `${container.name}: ${arg}`, {
              ...controller.spec.template.spec,
              [list]: controller.spec.template.spec[list]?.map((each) =>
                each === container ? { ...each, args } : each,
              ),
            });
          }),
      ),
    ),
  );

const changedPod = (
  objects: readonly KubeObject[],
  controller: ControllerObject,
  what: string,
  spec: PodSpec,
): Removal => {
  const template = { ...controller.spec.template, spec };
  const changed = { ...controller, spec: { ...controller.spec, template } };
  return { what: `${controller.metadata.name}: ${what}`, without: replaced(objects, controller, changed) };
};

export const removals = (objects: readonly KubeObject[]): Removal[] => [
  ...controllersIn(objects).flatMap((controller) =>
    podRemovals(controller.spec.template.spec).map(({ what, spec }) => changedPod(objects, controller, what, spec)),
  ),
  ...servicesIn(objects).flatMap((service) => [
    { what: `Service ${service.metadata.name}`, without: objects.filter((object) => object !== service) },
    ...without(service.spec.ports ?? []).map(({ gone, left }) => ({
      what: `port ${gone.name} of Service ${service.metadata.name}`,
      without: replaced(objects, service, { ...service, spec: { ...service.spec, ports: left } }),
    })),
  ]),
  ...configMapsIn(objects).flatMap((map) =>
    without(Object.entries(map.data)).map(({ gone, left }) => ({
      what: `${gone[0]} of ConfigMap ${map.metadata.name}`,
      without: replaced(objects, map, { ...map, data: Object.fromEntries(left) }),
    })),
  ),
];

const replaced = (objects: readonly KubeObject[], old: KubeObject, changed: KubeObject): KubeObject[] =>
  objects.map((object) => (object === old ? changed : object));

const without = <Value>(values: readonly Value[]): { readonly gone: Value; readonly left: Value[] }[] =>
  values.map((gone) => ({ gone, left: values.filter((value) => value !== gone) }));

interface PodRemoval {
  readonly what: string;
  readonly spec: PodSpec;
}

function podRemovals(spec: PodSpec): PodRemoval[] {
  const inList = (list: 'initContainers' | 'containers'): PodRemoval[] =>
    (spec[list] ?? []).flatMap((container) =>
      containerRemovals(container).map(({ what, changed }) => ({
        what,
        spec: { ...spec, [list]: spec[list]?.map((each) => (each === container ? changed : each)) },
      })),
    );
  return [...inList('initContainers'), ...inList('containers'), ...itemRemovals(spec)];
}

const containerRemovals = (container: ContainerObject): { what: string; changed: ContainerObject }[] => [
  ...without(container.volumeMounts ?? []).map(({ gone, left }) => ({
    what: `mount ${gone.name} of ${container.name}`,
    changed: { ...container, volumeMounts: left },
  })),
  ...without(container.ports ?? []).map(({ gone, left }) => ({
    what: `port ${gone.name} of ${container.name}`,
    changed: { ...container, ports: left },
  })),
  ...without(container.env ?? [])
    .filter(({ gone }) => gone.valueFrom !== undefined)
    .map(({ gone, left }) => ({ what: `${gone.name} of ${container.name}`, changed: { ...container, env: left } })),
];

/** Single files of volumes that are made of files. */
const itemRemovals = (spec: PodSpec): PodRemoval[] =>
  spec.volumes.flatMap((volume) =>
    (volume.projected?.sources ?? []).flatMap((source) => {
      const kind = source.secret === undefined ? 'configMap' : 'secret';
      const files = source[kind];
      return without(files?.items ?? []).map(({ gone, left }) => {
        const sources = volume.projected?.sources.map((each) =>
          each === source ? { [kind]: { ...files, items: left } } : each,
        );
        const changed = { ...volume, projected: { ...volume.projected, sources } };
        const volumes = spec.volumes.map((each) => (each === volume ? changed : each)) as PodSpec['volumes'];
        return { what: `file ${gone.path} of ${volume.name}`, spec: { ...spec, volumes } };
      });
    }),
  );
