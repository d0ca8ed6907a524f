// What the containers of pods said, as a node keeps it: a directory for each pod, a file for each container, in the form
// of the container runtime interface. Demo nodes start no containers, so the first line is all that is said, unless
// somebody writes more into the file.
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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

// Reads a container's log as `kubectl logs` asks for it: the last lines, those since a time, with times, and what follows.

export interface LogQuery {
  readonly tailLines?: number;
  readonly limitBytes?: number;
  /** Milliseconds. */
  readonly since?: number;
  readonly timestamps: boolean;
  readonly follow: boolean;
}

/** Undefined for numbers that are none. */
export function readLogQuery(query: URLSearchParams, now = Date.now()): LogQuery | undefined {
  const whole = (name: string): number | undefined => (query.has(name) ? Number(query.get(name)) : undefined);
  const [tailLines, limitBytes, seconds] = [whole('tailLines'), whole('limitBytes'), whole('sinceSeconds')];
  const time = query.has('sinceTime') ? Date.parse(query.get('sinceTime') ?? '') : undefined;
  const since = seconds === undefined ? time : now - seconds * 1000;
  const numbers = [tailLines, limitBytes, since].filter((value) => value !== undefined);
  if (!numbers.every((value) => Number.isInteger(value) && value >= 0)) return undefined;
  return {
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(limitBytes === undefined ? {} : { limitBytes }),
    ...(since === undefined ? {} : { since }),
    timestamps: query.get('timestamps') === 'true',
    follow: query.get('follow') === 'true',
  };
}

const form = /^(\S+) (?:stdout|stderr) ([FP]) ?(.*)$/;

/** Lines of the file as a person sees them. */
export function shownLines(text: string, { since = 0, timestamps }: Pick<LogQuery, 'since' | 'timestamps'>): string[] {
  return text.split('\n').flatMap((line) => {
    const [, time, whole, said = ''] = form.exec(line) ?? [];
    if (time === undefined || Date.parse(time) < since) return [];
    return [`${timestamps ? `${time} ` : ''}${said}${whole === 'F' ? '\n' : ''}`];
  });
}

export async function sendLog(
  file: string,
  query: LogQuery,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const bytes = wholeLines(readFileSync(file));
  const lines = shownLines(bytes.toString(), query);
  const asked = (query.tailLines === undefined ? lines : lines.slice(Math.max(0, lines.length - query.tailLines))).join(
    '',
  );
  say(query.limitBytes === undefined ? asked : Buffer.from(asked).subarray(0, query.limitBytes).toString());
  if (query.follow) await sayWhatFollows(file, bytes.length, (more) => say(shownLines(more, query).join('')), signal);
}

const checkMs = 200;

async function sayWhatFollows(
  file: string,
  from: number,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const open = openSync(file, 'r');
  try {
    for (let at = from; !signal.aborted && fstatSync(open).nlink > 0; ) {
      const more = wholeLines(readAt(open, at));
      at += more.length;
      if (more.length > 0) say(more.toString());
      await sleep(checkMs, undefined, { signal }).catch(() => {});
    }
  } finally {
    closeSync(open);
  }
}

function readAt(open: number, at: number): Buffer {
  const buffer = Buffer.alloc(64 * 1024);
  return buffer.subarray(0, readSync(open, buffer, 0, buffer.length, at));
}

/** The rest comes when it is finished. */
const wholeLines = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
