// Bodies: JSON, and not too long.
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ApiEnv } from '../context.ts';
import { ApiError } from '../problems.ts';

const mebibyte = 1024 * 1024;

export const limitBody: MiddlewareHandler<ApiEnv> = bodyLimit({
  maxSize: mebibyte,
  onError: () => {
    throw new ApiError(413, 'CW-API-TOO-LARGE', 'the body has more than 1 MiB', 'send less at a time', {
      // What is left of the body is not read.
      headers: { connection: 'close' },
    });
  },
});

export const onlyJson: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const hasBody = c.req.method === 'PUT' || c.req.method === 'POST' || c.req.method === 'PATCH';
  const type = c.req.header('content-type') ?? '';
  if (hasBody && !/^application\/json *(;|$)/i.test(type))
    throw new ApiError(
      415,
      'CW-API-CONTENT-TYPE',
      'the body is not JSON',
      'send it with content-type: application/json',
    );
  await next();
};
