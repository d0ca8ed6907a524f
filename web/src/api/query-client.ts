import { QueryCache, QueryClient } from '@tanstack/react-query';
import { navigate } from 'wouter/use-browser-location';
import { ApiError } from './client.ts';
import { loginPath } from './session.ts';

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
