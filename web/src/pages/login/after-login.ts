/** The page that one came for. Only pages of our own: a link to the login page must not lead anywhere else. */
export function afterLogin(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  const here = 'http://here';
  const url = URL.canParse(next, here) ? new URL(next, here) : undefined;
  // After two slashes comes a host: /.//example.com is //example.com when it has been read.
  if (url?.origin !== here || url.pathname === '/login' || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}

/** What was pasted may be the token, or the whole address that carries it. */
export function tokenIn(text: string): string {
  const pasted = text.trim();
  return (URL.canParse(pasted) && new URL(pasted).searchParams.get('token')) || pasted;
}

/** The one-time token that an address carries, and the address without it. A provider's way back has it behind a #. */
export function linkIn({ pathname, search, hash }: Pick<URL, 'pathname' | 'search' | 'hash'>): Link | undefined {
  const query = new URLSearchParams(search);
  const token = query.get('token') ?? new URLSearchParams(hash.slice(1)).get('token');
  if (token === null) return undefined;
  query.delete('token');
  const rest = query.size === 0 ? '' : `?${query}`;
  return { token, page: pathname === '/login' ? afterLogin(rest) : `${pathname}${rest}` };
}

export interface Link {
  readonly token: string;
  readonly page: string;
}
