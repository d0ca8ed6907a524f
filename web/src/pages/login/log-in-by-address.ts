import { ApiError } from '../../api/client.ts';
import { logIn } from '../../api/queries.ts';
import { linkIn } from './after-login.ts';

/** Before anything is shown: the token leaves the address and the history of the tab, and lets this browser in, once. */
export async function logInByAddress(): Promise<void> {
  const link = linkIn(location);
  if (link === undefined) return;
  await whenShown();
  history.replaceState(null, '', link.page);
  try {
    await logIn({ token: link.token });
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'CW-PAGE-LOGIN';
    history.replaceState(null, '', `/login?problem=${code}&next=${encodeURIComponent(link.page)}`);
  }
}

/** A browser that only prepares the page must not use the token up. */
const whenShown = (): Promise<unknown> =>
  'prerendering' in document && document.prerendering === true
    ? new Promise((resolve) => document.addEventListener('prerenderingchange', resolve, { once: true }))
    : Promise.resolve();
