// As much of a browser as signing in takes: cookies, redirects, and the first form of a page.

export interface Visited {
  readonly url: URL;
  readonly response: Response;
  readonly text: string;
}

export interface SmallBrowser {
  /** Opens an address and follows redirects, until one leads to where `stop` says. */
  open(url: string, stop?: (url: URL) => boolean): Promise<Visited>;
  /** Fills in the form of a page and sends it. */
  submit(page: Visited, fields: Readonly<Record<string, string>>, stop?: (url: URL) => boolean): Promise<Visited>;
  cookieNames(): string[];
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

const mostSteps = 20;

export function createBrowser(): SmallBrowser {
  const jar = new Map<string, Cookie>();
  const go = async (start: URL, init: RequestInit, stop: (url: URL) => boolean): Promise<Visited> => {
    let [url, request] = [start, init];
    for (let step = 0; step < mostSteps; step++) {
      const response = await fetch(url, {
        ...request,
        redirect: 'manual',
        headers: headersFor(jar, url, start),
      });
      for (const line of response.headers.getSetCookie()) keep(jar, line);
      const location = response.headers.get('location');
      if (location === null) return { url, response, text: await response.text() };
      [url, request] = [new URL(location, url), {}];
      if (stop(url)) return { url, response, text: '' };
    }
    throw new Error(`more than ${mostSteps} redirects from ${start.href}`);
  };
  return {
    open: (url, stop = () => false) => go(new URL(url), {}, stop),
    submit: ({ url, text }, fields, stop = () => false) => {
      const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      const given = { ...Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])), ...fields };
      const body = new URLSearchParams(given);
      return go(new URL(action, url), { method: 'POST', body }, stop);
    },
    cookieNames: () => [...jar.values()].map(({ name }) => name),
  };
}

/** Coming from another site, as browsers tell it. */
function headersFor(jar: ReadonlyMap<string, Cookie>, url: URL, start: URL): Record<string, string> {
  const cookies = [...jar.values()].filter(({ path }) => url.pathname.startsWith(path));
  return {
    'sec-fetch-mode': 'navigate',
    'sec-fetch-site': url.host === start.host ? 'same-origin' : 'cross-site',
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
  };
}

function keep(jar: Map<string, Cookie>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? '/';
  const key = `${name} ${path}`;
  if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(key);
  else jar.set(key, { name, value, path });
}
