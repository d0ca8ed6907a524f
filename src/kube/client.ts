// A small client of the Kubernetes API: what we need of it, and nothing that we do not (docs/decisions/0015).
import { KubeError } from './errors.ts';
import type { WatchChange } from './follow.ts';
import { createTransport, type KubeAccess } from './transport.ts';

export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

export interface KubeClient {
  /** Undefined where there is none. */
  get<Answer = KubeObject>(path: string): Promise<Answer | undefined>;
  /** All items, page after page. `path` may have a query. */
  list<Item = KubeObject>(path: string): Promise<Item[]>;
  /** Server-side: what is said here is ours, and what others said stays theirs. */
  apply<Answer = KubeObject>(object: KubeObject): Promise<Answer>;
  post<Answer = KubeObject>(path: string, body: unknown): Promise<Answer>;
  /** False where there was none. */
  remove(path: string): Promise<boolean>;
  /** Calls for each change until the connection ends or the signal comes; see `follow`. */
  watch(path: string, change: (change: WatchChange) => void, signal: AbortSignal): Promise<void>;
  /** Where this object is, by the API's own list of resources. */
  pathOf(object: KubeObject): Promise<string>;
  /** Ends the connections that are kept. */
  close(): void;
}

const fieldManager = 'causeway';
const pageSize = 500;

export function createKubeClient(access: KubeAccess): KubeClient {
  const { ask, lines, close } = createTransport(access);
  const get = <Answer>(path: string): Promise<Answer | undefined> =>
    orNothing(ask({ method: 'GET', path }) as Promise<Answer>);
  const pathOf = createPathFinder((path) => ask({ method: 'GET', path }) as Promise<ResourceList>);
  return {
    get,
    list: <Item>(path: string) =>
      listAll<Item>(path, (page) => ask({ method: 'GET', path: page }) as Promise<Page<Item>>),
    async apply<Answer>(object: KubeObject) {
      const path = `${await pathOf(object)}?fieldManager=${fieldManager}&force=true`;
      return (await ask({
        method: 'PATCH',
        path,
        body: object,
        contentType: 'application/apply-patch+yaml',
      })) as Answer;
    },
    post: <Answer>(path: string, body: unknown) => ask({ method: 'POST', path, body }) as Promise<Answer>,
    remove: async (path) => (await orNothing(ask({ method: 'DELETE', path }))) !== undefined,
    watch: (path, change, signal) => lines(path, (line) => change(JSON.parse(line) as WatchChange), signal),
    pathOf,
    close,
  };
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
