// Who one is: the token of the printed URL, logging out, and what a role may do.
import { send } from './client.ts';

/** Trades `?token=` for a cookie and takes it out of the address, so that it is not bookmarked or shared. */
export async function exchangeToken(): Promise<void> {
  const here = new URL(location.href);
  const token = here.searchParams.get('token');
  if (token === null) return;
  here.searchParams.delete('token');
  history.replaceState(null, '', here);
  // A token that was used before is no problem for somebody who is logged in; others are sent to the login page.
  await send('POST', '/session', { body: { token } }).catch(() => undefined);
}

export const loginPath = (): string => `/login?next=${encodeURIComponent(location.pathname + location.search)}`;

export async function logOut(): Promise<void> {
  await send('DELETE', '/session');
  location.assign('/login');
}
