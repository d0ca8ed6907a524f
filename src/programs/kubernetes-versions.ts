// Which versions of Kubernetes can be had here: those on the machine, those we are tried with, and those that their
// publishers list. Asked before a cluster is made, because a version that nobody has cannot be waited for.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { isExecutable } from '../sys/is-executable.ts';
import { type ProgramName, programs } from './catalogue/index.ts';
import type { Program } from './catalogue/program.ts';
import { bundleDirectory, type ProgramOptions, type ProgramsConfig, programsConfig } from './config.ts';
import { SourceUnavailable } from './errors.ts';
import { filesOnPath, find, versionTold } from './find.ts';
import { moduleProxy } from './go-toolchain.ts';
import { httpGet, httpText, shownUrl } from './http-get.ts';

export interface OfferedVersion {
  readonly version: string;
  /** Its programs are on this machine; otherwise they are fetched or built when a cluster needs them. */
  readonly here: boolean;
  /** Our tests run with it. */
  readonly tested: boolean;
}

export interface OfferedVersions {
  /** Newest first. */
  readonly items: readonly OfferedVersion[];
  /** Why there may be more: a publisher whose list could not be read. */
  readonly incomplete?: string;
}

export interface Availability {
  /** `absent`: a publisher answered that there is none, and nobody else has it; `unknown`: nobody could be asked. */
  readonly state: 'available' | 'absent' | 'unknown';
  /** Who said what. */
  readonly because: string;
}

export interface KubernetesVersions {
  offered(): Promise<OfferedVersions>;
  availability(version: string): Promise<Availability>;
}

export interface KubernetesVersionsOptions {
  /** Minor versions that are offered. */
  readonly minors: { readonly oldest: number; readonly newest: number };
  readonly programs?: ProgramOptions;
  readonly now?: () => number;
}

/** What a control plane runs. */
const needed: readonly ProgramName[] = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];
const apiServer: Program = programs['kube-apiserver'];
const available: Availability = { state: 'available', because: '' };

/** A new release appears once in a while; a network comes back sooner. */
const rememberMs: Readonly<Record<Availability['state'], number>> = {
  available: Number.POSITIVE_INFINITY,
  absent: 5 * 60_000,
  unknown: 30_000,
};
const listMs = 10 * 60_000;

export function kubernetesVersions(options: KubernetesVersionsOptions): KubernetesVersions {
  const { minors, now = Date.now } = options;
  const config = programsConfig(options.programs);
  const asked = new Map<string, { readonly availability: Promise<Availability>; until: number }>();
  let published: { readonly list: Promise<Published>; readonly until: number } | undefined;

  const listed = (): Promise<Published> => {
    if (published === undefined || now() >= published.until)
      published = { list: publishedVersions(minors, config), until: now() + listMs };
    return published.list;
  };
  const ask = (version: string): Promise<Availability> => {
    const known = asked.get(version);
    if (known !== undefined && now() < known.until) return known.availability;
    const entry = { availability: availabilityOf(version, config), until: Number.POSITIVE_INFINITY };
    asked.set(version, entry);
    void entry.availability.then(({ state }) => {
      entry.until = now() + rememberMs[state];
    });
    return entry.availability;
  };
  return {
    async offered() {
      const [here, { versions, unavailable }] = await Promise.all([versionsHere(config), listed()]);
      if (unavailable.length > 0) published = undefined;
      const all = [...new Set([...here, ...apiServer.versions, ...versions])].sort(newestFirst);
      const items = all.map((version) => ({
        version,
        here: here.has(version),
        tested: apiServer.versions.includes(version),
      }));
      return { items, ...(unavailable.length === 0 ? {} : { incomplete: unavailable.join('; ') }) };
    },
    availability: async (version) => {
      if (apiServer.versions.includes(version) || (await find(apiServer, version, config)) !== undefined)
        return available;
      return ask(version);
    },
  };
}

const order = new Intl.Collator('en', { numeric: true });
const newestFirst = (a: string, b: string): number => order.compare(b, a);

/** In the cache, in a directory that the user named, or on PATH. */
async function versionsHere(config: ProgramsConfig): Promise<ReadonlySet<string>> {
  const roots = [config.cache, ...(config.named === undefined ? [] : [config.named])];
  const kept = roots.flatMap((root) => subdirectories(path.join(root, apiServer.bundle)).filter(hasAll(root, config)));
  const told = await Promise.all(
    filesOnPath(apiServer, config).map((file) => versionTold(apiServer, file, config.env)),
  );
  return new Set([...kept, ...told.flatMap((text) => /\bv(\d+\.\d+\.\d+)\b/.exec(text ?? '')?.[1] ?? [])]);
}

const hasAll =
  (root: string, { platform }: ProgramsConfig) =>
  (version: string): boolean =>
    needed.every((name) => {
      const program: Program = programs[name];
      return isExecutable(path.join(bundleDirectory(root, program, version, platform), program.file));
    });

function subdirectories(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => /^\d+\.\d+\.\d+$/.test(name));
  } catch {
    return [];
  }
}

interface Published {
  readonly versions: readonly string[];
  /** Who could not be asked. */
  readonly unavailable: readonly string[];
}

async function publishedVersions(
  { oldest, newest }: KubernetesVersionsOptions['minors'],
  config: ProgramsConfig,
): Promise<Published> {
  const minors = Array.from({ length: newest - oldest + 1 }, (_, at) => `1.${oldest + at}`);
  const stable = minors.map((minor) => httpText(`${config.mirrors.kubernetes}/release/stable-${minor}.txt`, config));
  const lists = await Promise.allSettled([Promise.all(stable).then((texts) => texts.join('\n')), moduleList(config)]);
  const versions = lists
    .flatMap((list) => (list.status === 'fulfilled' ? list.value.split('\n') : []))
    .map((line) => /^v(1\.(\d+)\.\d+)$/.exec(line.trim()))
    .flatMap((match) =>
      match && Number(match[2]) >= oldest && Number(match[2]) <= newest ? [match[1] as string] : [],
    );
  const unavailable = lists.flatMap((list) => (list.status === 'rejected' ? [sentenceOf(list.reason)] : []));
  // One of them is enough to choose from.
  return { versions, unavailable: unavailable.length === lists.length ? unavailable : [] };
}

async function moduleList(config: ProgramsConfig): Promise<string> {
  const { base } = await moduleAddress('0.0.0', config);
  return httpText(`${base}/list`, config);
}

/** Of the module that programs are built from. */
async function moduleAddress(version: string, { env }: ProgramsConfig): Promise<{ base: string; version: string }> {
  const module = apiServer.go?.module(version);
  const proxy = await moduleProxy(env);
  if (module === undefined || proxy === undefined) throw new SourceUnavailable('offline', 'no Go module proxy is set');
  return { base: `${proxy}/${module.path}/@v`, version: module.version };
}

async function availabilityOf(version: string, config: ProgramsConfig): Promise<Availability> {
  const asked = await Promise.all([askPublisher(version, config), askModuleProxy(version, config)]);
  if (asked.some(({ state }) => state === 'available')) return available;
  const state = asked.some((answer) => answer.state === 'absent') ? 'absent' : 'unknown';
  const telling = asked.filter((answer) => answer.state === state);
  return { state, because: telling.map(({ because }) => because).join('; ') };
}

async function askPublisher(version: string, config: ProgramsConfig): Promise<Availability> {
  const source = apiServer.official?.(version, config.platform, config.mirrors);
  if (source === undefined) return { state: 'unknown', because: 'there is no download for this system' };
  return exists(source.checksum.url, config, `${new URL(source.url).host} has no Kubernetes ${version}`);
}

/** A proxy that serves the module and refuses one version of it, in whatever words, does not have that version. */
async function askModuleProxy(version: string, config: ProgramsConfig): Promise<Availability> {
  try {
    const { base, version: tag } = await moduleAddress(version, config);
    const list = await httpText(`${base}/list`, config);
    if (list.split('\n').includes(tag)) return available;
    const because = `the Go module proxy ${new URL(base).host} has no Kubernetes ${version}`;
    return await exists(`${base}/${tag}.info`, config, because, isAnswer);
  } catch (error) {
    return { state: 'unknown', because: sentenceOf(error) };
  }
}

const isAbsent = ({ why }: SourceUnavailable): boolean => why === 'absent';
const isAnswer = (unavailable: SourceUnavailable): boolean => isAbsent(unavailable) || unavailable.status === 403;

async function exists(url: string, config: ProgramsConfig, absent: string, isNo = isAbsent): Promise<Availability> {
  try {
    (await httpGet(url, {}, config)).resume();
    return available;
  } catch (error) {
    if (!(error instanceof SourceUnavailable)) throw new SourceUnavailable('failed', `${shownUrl(url)} cannot be read`);
    return isNo(error) ? { state: 'absent', because: absent } : { state: 'unknown', because: error.message };
  }
}

const sentenceOf = (error: unknown): string => (error as Error).message;
