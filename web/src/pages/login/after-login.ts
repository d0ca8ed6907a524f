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
