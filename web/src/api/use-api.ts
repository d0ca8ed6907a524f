import { keepPreviousData, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { get, type Query } from './client.ts';
import { keys } from './keys.ts';
import type { Summary, WhoAmI } from './types.ts';

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
export function useMay(role: 'admin' | 'operator'): boolean {
  const roles = useWhoAmI().data?.roles ?? [];
  return roles.includes('admin') || (role === 'operator' && roles.includes('operator'));
}
