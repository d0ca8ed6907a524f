// Bodies: JSON, and not too long.
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../context.ts';
import { ApiError } from '../problems.ts';

const mebibyte = 1024 * 1024;

/**
 * By what the request says of itself: Node lets nobody send more than that, or a body where none is announced. Stricter
 * than hono's body-limit, which reads a body without a length up to the limit into memory (here it is refused), and does
 * not look at the length that a GET or HEAD announces.
 */
export const limitBody: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (c.req.header('transfer-encoding') !== undefined) throw unmeasured;
  if (Number(c.req.header('content-length') ?? 0) > mebibyte) throw tooLarge;
  await next();
};

// What is left of the body is not read.
const leaving = { headers: { connection: 'close' } };
const tooLarge = new ApiError(413, 'CW-API-TOO-LARGE', 'the body has more than 1 MiB', 'send less at a time', leaving);
const unmeasured = new ApiError(
  411,
  'CW-API-LENGTH',
  'the request does not say how long its body is',
  'send it with content-length, not in chunks',
  leaving,
);

/** For routes that take one. */
export const onlyJson: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/json *(;|$)/i.test(type))
    throw new ApiError(
      415,
      'CW-API-CONTENT-TYPE',
      'the body is not JSON',
      'send it with content-type: application/json',
    );
  await next();
};
