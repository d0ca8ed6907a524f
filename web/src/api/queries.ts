import {
  keepPreviousData,
  QueryCache,
  QueryClient,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import { navigate } from 'wouter/use-browser-location';
import { ApiError, get, type Query, send } from './client.ts';
import { session } from './session.ts';
import type { SignedIn, Summary, WhoAmI } from './types.ts';

type Options<Body> = Omit<UseQueryOptions<Body, Error>, 'queryKey' | 'queryFn'>;

/** Reads something that follows from the platform's view, and again whenever that changes. */
export const useApi = <Body>(path: string, query: Query = {}, options: Options<Body> = {}): UseQueryResult<Body> =>
  useQuery<Body, Error>({
    queryKey: keys.read(path, query),
    queryFn: () => get<Body>(path, query),
    placeholderData: keepPreviousData as never,
    ...options,
  });

/** How the platform does, in a few numbers. */
export const useSummary = (): UseQueryResult<Summary> => useApi<Summary>('/summary');

export const useWhoAmI = (): UseQueryResult<WhoAmI> =>
  useQuery({ queryKey: keys.whoami, queryFn: () => get<WhoAmI>('/whoami'), staleTime: 60_000 });

/** May the person do what only this role may? An admin may everything. */
export function useHasRole(role: 'admin' | 'operator'): boolean {
  const roles = useWhoAmI().data?.roles ?? [];
  return roles.includes('admin') || (role === 'operator' && roles.includes('operator'));
}

// Names of what was asked. All that follows from the platform's view starts with `view`, so that one change renews it.

const view = ['view'] as const;

export const keys = {
  view,
  events: ['events'] as const,
  whoami: ['whoami'] as const,
  /** Anything that is read by GET and follows from the view: the path is the name. */
  read: (path: string, query: Query = {}) => [...view, path, query] as const,
};

/** What the platform refused is refused again: only what did not answer is asked a second time. */
const worthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502);

const isLoggedOut = (error: Error): boolean => error instanceof ApiError && error.status === 401;

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (isLoggedOut(error) && location.pathname !== '/login') navigate(loginPath());
      },
    }),
    defaultOptions: { queries: { retry: worthRetrying, staleTime: 2_000, refetchOnWindowFocus: true } },
  });

// Signing in is a page of its own; here is the way to it, and out.

export const loginPath = (): string => `/login?next=${encodeURIComponent(location.pathname + location.search)}`;

export async function logIn(credentials: Readonly<Record<string, string>>): Promise<void> {
  const { body } = await send<SignedIn>('POST', '/session', { body: credentials });
  session().keep(body.token);
}

export async function logOut(): Promise<void> {
  const token = session().token();
  await send('DELETE', '/session');
  session().end(token);
  location.assign('/login');
}
