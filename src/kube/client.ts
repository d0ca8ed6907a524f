// A small client of the Kubernetes API: what we need of it, and nothing that we do not (docs/decisions/0015).
import { CausewayError } from '../core/errors.ts';
import { KubeError, unreachable } from './errors.ts';
import { createTransport, type KubeAccess } from './transport.ts';
import { readWatch, type WatchOptions } from './watch.ts';

export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

export interface ApplyOptions {
  /** One for each controller: whoever applies without a field that it had applied before removes it. @default causeway */
  readonly fieldManager?: string;
  /** Takes fields from other managers. @default true */
  readonly force?: boolean;
  /** All of the server's checks, and nothing is written. */
  readonly dryRun?: boolean;
  /** Fields that the server does not know are refused rather than dropped. */
  readonly strict?: boolean;
  readonly subresource?: 'status' | 'scale' | 'approval';
}

export interface KubeClient {
  /** Undefined where there is none. */
  get<Answer = KubeObject>(path: string, signal?: AbortSignal): Promise<Answer | undefined>;
  /** All items, page after page. `path` may have a query. */
  list<Item = KubeObject>(path: string): Promise<Item[]>;
  /** Server-side: what is said here is ours, and what others said stays theirs. */
  apply<Answer = KubeObject>(object: KubeObject, options?: ApplyOptions): Promise<Answer>;
  post<Answer = KubeObject>(path: string, body: unknown): Promise<Answer>;
  /** False where there was none. */
  remove(path: string): Promise<boolean>;
  /** Tells each event until the server ends the stream; rejects when it breaks. Most want a Reflector instead. */
  watch(path: string, options: WatchOptions): Promise<void>;
  /** Where this object is, by the API's own list of resources. */
  pathOf(object: KubeObject): Promise<string>;
  /** Ends the connections that are kept. */
  close(): void;
}

/** Of a list: what one answer may hold. */
export const pageSize = 500;

export function createKubeClient(access: KubeAccess): KubeClient {
  const { ask, stream, close } = createTransport(access);
  const get = <Answer>(path: string, signal?: AbortSignal): Promise<Answer | undefined> =>
    orNothing(ask({ method: 'GET', path, signal }) as Promise<Answer>);
  const pathOf = createPathFinder((path) => ask({ method: 'GET', path }) as Promise<ResourceList>);
  return {
    get,
    list: <Item>(path: string) =>
      listAll<Item>(path, (page) => ask({ method: 'GET', path: page }) as Promise<Page<Item>>),
    async apply<Answer>(object: KubeObject, options: ApplyOptions = {}) {
      const path = applyPath(await pathOf(object), options);
      return (await ask({
        method: 'PATCH',
        path,
        body: object,
        contentType: 'application/apply-patch+yaml',
      })) as Answer;
    },
    async watch(path, options) {
      try {
        await readWatch((signal) => stream(path, signal), options);
      } catch (error) {
        throw error instanceof CausewayError ? error : unreachable(access.server, error as Error);
      }
    },
    post: <Answer>(path: string, body: unknown) => ask({ method: 'POST', path, body }) as Promise<Answer>,
    remove: async (path) => (await orNothing(ask({ method: 'DELETE', path }))) !== undefined,
    pathOf,
    close,
  };
}

function applyPath(path: string, options: ApplyOptions): string {
  const { fieldManager = 'causeway', force = true, dryRun, strict, subresource } = options;
  const query = new URLSearchParams({
    fieldManager,
    force: String(force),
    ...(dryRun && { dryRun: 'All' }),
    ...(strict && { fieldValidation: 'Strict' }),
  });
  return `${path}${subresource === undefined ? '' : `/${subresource}`}?${query}`;
}

async function orNothing<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return undefined;
    throw error;
  }
}

interface Page<Item> {
  readonly items: Item[];
  readonly metadata: { readonly continue?: string };
}

async function listAll<Item>(path: string, read: (path: string) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  const paged = `${path}${path.includes('?') ? '&' : '?'}limit=${pageSize}`;
  let token: string | undefined = '';
  while (token !== undefined) {
    const page: Page<Item> = await read(token === '' ? paged : `${paged}&continue=${encodeURIComponent(token)}`);
    items.push(...page.items);
    token = page.metadata.continue || undefined;
  }
  return items;
}

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/** Each group is asked for its resources once. */
function createPathFinder(read: (path: string) => Promise<ResourceList>): (object: KubeObject) => Promise<string> {
  const known = new Map<string, Promise<ResourceList>>();
  const resourcesIn = (root: string): Promise<ResourceList> => {
    const asked = known.get(root) ?? read(root);
    known.set(root, asked);
    // An answer that did not come is asked for again next time.
    asked.catch(() => known.delete(root));
    return asked;
  };
  return async ({ apiVersion, kind, metadata }) => {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { resources } = await resourcesIn(root);
    const found = resources.find((resource) => resource.kind === kind && !resource.name.includes('/'));
    if (found === undefined) throw new KubeError(404, `${apiVersion} has no ${kind}`);
    const namespace = found.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : '';
    return `${root}${namespace}/${found.name}/${encodeURIComponent(metadata.name)}`;
  };
}
