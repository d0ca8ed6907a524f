// The token that tells the gateway whose agent this is. It goes nowhere but to the gateway.
import { CausewayError } from '../core/errors.ts';
import { FileValue } from '../sys/file-value.ts';
import type { Log } from '../sys/log.ts';

export interface Token {
  readonly text: string;
  /** Seconds since 1970; absent where the token does not say. */
  readonly expires?: number;
}

export function tokenFrom(file: string, log: Log): () => Token {
  const value = new FileValue(file, (text) => readToken(text, file), { log });
  value.get();
  return () => value.get();
}

export function readToken(text: string, file: string): Token {
  const token = text.trim();
  const [, claims] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token) ?? [];
  if (claims === undefined || token.length > 4_096)
    throw new CausewayError(
      'CW-AGENT-TOKEN',
      `${file} holds no token`,
      'make one with: causeway gateway token CLUSTER --key FILE',
    );
  return { text: token, ...expiryIn(claims) };
}

/** Only for people: the gateway decides. */
function expiryIn(claims: string): { expires?: number } {
  try {
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { exp?: unknown };
    return typeof exp === 'number' ? { expires: exp } : {};
  } catch {
    return {};
  }
}
