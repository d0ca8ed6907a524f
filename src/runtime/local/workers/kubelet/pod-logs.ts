// What the containers of pods said, as a node keeps it: a directory for each pod, a file for each container, in the form
// of the container runtime interface. Demo nodes start no containers, so the first line is all that is said, unless
// somebody writes more into the file.
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Stored } from '../../../../kube/index.ts';

export interface Pod extends Stored {
  readonly spec: { readonly nodeName?: string; readonly containers: readonly { readonly name: string }[] };
  readonly status?: { readonly phase?: string };
}

/** What is needed of a pod. */
export const trimPod = ({ metadata, spec, status }: Pod): Pod => ({
  metadata,
  spec: { nodeName: spec.nodeName, containers: spec.containers.map(({ name }) => ({ name })) },
  status: { phase: status?.phase },
});

/** As a container runtime writes it. */
export const logLine = (said: string, at = new Date()): string => `${at.toISOString()} stdout F ${said}\n`;

export class PodLogs {
  readonly #directory: string;
  readonly #known = new Map<string, string>();

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  /** Pods that started say so; what is left of those that are gone goes too. */
  keep(pods: readonly Pod[]): void {
    const wanted = new Set(pods.map(directoryName));
    for (const name of readdirSync(this.#directory))
      if (!wanted.has(name)) rmSync(path.join(this.#directory, name), { recursive: true, force: true });
    this.#known.clear();
    for (const pod of pods) this.#begin(pod);
  }

  /** Undefined where there is no such container here. */
  fileOf(namespace: string, pod: string, container: string): string | undefined {
    const directory = this.#known.get(`${namespace}/${pod}`);
    const file = directory === undefined ? undefined : fileIn(directory, container);
    return file !== undefined && existsSync(file) ? file : undefined;
  }

  #begin(pod: Pod): void {
    const { name, namespace = 'default' } = pod.metadata;
    const directory = path.join(this.#directory, directoryName(pod));
    this.#known.set(`${namespace}/${name}`, directory);
    if (pod.status?.phase === 'Pending' || existsSync(directory)) return;
    mkdirSync(directory, { mode: 0o700 });
    for (const container of pod.spec.containers)
      appendFileSync(fileIn(directory, container.name), logLine(firstWords(pod, container.name)), { mode: 0o600 });
  }
}

/** No name in Kubernetes has an underscore. */
const directoryName = ({ metadata: { namespace = 'default', name, uid } }: Pod): string =>
  `${namespace}_${name}_${uid}`;

const fileIn = (directory: string, container: string): string =>
  path.join(directory, `${path.basename(container)}.log`);

const firstWords = ({ metadata, spec }: Pod, container: string): string =>
  `${metadata.name} is on ${spec.nodeName}, a demo node: it starts no containers, so ${container} says nothing else`;
