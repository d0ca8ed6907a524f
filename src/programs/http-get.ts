import http from 'node:http';
import https from 'node:https';
import type { ProgramsConfig } from './config.ts';
import { SourceUnavailable } from './errors.ts';

/** Names a download without a password that its address may carry. */
export function shownUrl(url: string | URL): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

type Caller = Pick<ProgramsConfig, 'env' | 'timeouts'>;

/** A successful answer (200 or 206; 416 for a range that starts at the end), after redirects; otherwise throws `SourceUnavailable`. */
export async function httpGet(
  url: string | URL,
  headers: http.OutgoingHttpHeaders,
  caller: Caller,
  redirects = 5,
): Promise<http.IncomingMessage> {
  const answer = await firstAnswer(new URL(url), headers, caller);
  const { statusCode = 0 } = answer;
  if (statusCode === 200 || statusCode === 206 || (statusCode === 416 && 'range' in headers)) return answer;
  answer.resume();
  const { location } = answer.headers;
  if (statusCode >= 300 && statusCode < 400 && location !== undefined && redirects > 0) {
    return httpGet(new URL(location, url), headers, caller, redirects - 1);
  }
  throw refusal(url, statusCode);
}

function refusal(url: string | URL, status: number): SourceUnavailable {
  if (status === 404 || status === 410)
    return new SourceUnavailable('absent', `${shownUrl(url)} does not exist`, status);
  // Gateways of corporate networks answer in the place of hosts that they block.
  return new SourceUnavailable('offline', `${shownUrl(url)} was answered with status ${status}`, status);
}

function firstAnswer(
  url: URL,
  headers: http.OutgoingHttpHeaders,
  { env, timeouts }: Caller,
): Promise<http.IncomingMessage> {
  const { protocol, host } = url;
  const { request, Agent } = protocol === 'http:' ? http : https;
  return new Promise((resolve, reject) => {
    const agent = new Agent({ proxyEnv: env });
    const asked = request(url, { agent, headers: { 'user-agent': 'causeway', ...headers } });
    const late = setTimeout(() => asked.destroy(new Error('no answer')), timeouts.answer);
    asked.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(late);
      reject(new SourceUnavailable('offline', `${host} cannot be reached (${inWords(error)})`));
    });
    asked.once('response', (answer) => {
      clearTimeout(late);
      answer.once('close', () => agent.destroy());
      resolve(answer.setTimeout(timeouts.stall, () => answer.destroy(new Error('the download stalled'))));
    });
    asked.end();
  });
}

const words: Record<string, string> = {
  ENOTFOUND: 'its name is not known here',
  EAI_AGAIN: 'its name is not known here',
  ECONNREFUSED: 'connection refused',
  ENETUNREACH: 'no route',
  EHOSTUNREACH: 'no route',
};

const inWords = ({ code = '', message }: NodeJS.ErrnoException): string => words[code] ?? message;

/** A small text, such as a list of checksums. */
export async function httpText(url: string, caller: Caller): Promise<string> {
  const answer = await httpGet(url, {}, caller);
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    text += chunk;
    if (text.length > 4 * 1024 * 1024)
      throw new SourceUnavailable('failed', `${shownUrl(url)} is no list of checksums`);
  }
  return text;
}
