// Signing in is a page of its own; here is the way to it, and out.
import { send } from './client.ts';

export const loginPath = (): string => `/login?next=${encodeURIComponent(location.pathname + location.search)}`;

export async function logOut(): Promise<void> {
  await send('DELETE', '/session');
  location.assign('/login');
}
