import { ApiError } from '../../api/client.ts';
import { logIn } from '../../api/queries.ts';
import { type Link, linkIn } from './after-login.ts';

/**
 * Before anything is shown: the token of the address lets this browser in, once, and leaves the address and the history of
 * the tab. Not before the platform has answered, so that whoever loads anew meanwhile tries again.
 */
export async function logInByAddress(): Promise<void> {
  const link = linkIn(location);
  if (link === undefined) return;
  await whenShown();
  history.replaceState(null, '', await addressAfter(link));
}

async function addressAfter({ token, page }: Link): Promise<string> {
  try {
    await logIn({ token });
    return page;
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'CW-PAGE-LOGIN';
    return `/login?problem=${code}&next=${encodeURIComponent(page)}`;
  }
}

/** A browser that only prepares the page must not use the token up. */
const whenShown = (): Promise<unknown> =>
  'prerendering' in document && document.prerendering === true
    ? new Promise((resolve) => document.addEventListener('prerenderingchange', resolve, { once: true }))
    : Promise.resolve();
