// The few requests to a bucket that backups need, signed by aws4fetch. Sent by Node's own client, which can stream files
// of a known length and trust an authority of one's own.
import { createReadStream } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { AwsClient } from 'aws4fetch';
import { CausewayError } from '../../../core/errors.ts';

export interface S3Options {
  /** https://host:port */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Authorities to trust, as PEM. @default those of the system */
  readonly ca?: string;
}

interface Body {
  readonly sha256: string;
  readonly length: number;
  /** A file, or the text itself. */
  readonly file?: string;
  readonly text?: string;
}

export interface S3Client {
  put(key: string, body: Body): Promise<void>;
  /** Rejects where there is none. */
  get(key: string): Promise<IncomingMessage>;
  remove(key: string): Promise<void>;
  /** All keys that begin so. */
  keys(prefix: string): Promise<string[]>;
}

/** Without any progress. */
const silenceMs = 60_000;
const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export function s3Client(options: S3Options): S3Client {
  const { endpoint, bucket, region, credentials, ca } = options;
  const aws = new AwsClient({ ...credentials, region, service: 's3' });
  // Names of buckets in the path: it works everywhere, and needs no certificate for each bucket.
  const urlOf = (key: string, query = ''): string =>
    `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}/${key.split('/').map(encodeURIComponent).join('/')}${query}`;

  const send = async (method: string, url: string, body?: Body): Promise<IncomingMessage> => {
    const headers = { 'x-amz-content-sha256': body?.sha256 ?? emptySha256 };
    const signed = await aws.sign(url, { method, headers });
    const length: Record<string, number> = body === undefined ? {} : { 'content-length': body.length };
    const response = await exchange(
      url,
      { method, headers: { ...Object.fromEntries(signed.headers), ...length }, ca },
      body,
    );
    if ((response.statusCode ?? 500) < 300) return response;
    throw refused(options, method, response.statusCode ?? 0, await text(response));
  };

  return {
    put: async (key, body) => void (await text(await send('PUT', urlOf(key), body))),
    get: (key) => send('GET', urlOf(key)),
    remove: async (key) => void (await text(await send('DELETE', urlOf(key)))),
    async keys(prefix) {
      const keys: string[] = [];
      for (let token: string | undefined = ''; token !== undefined; ) {
        const query = new URLSearchParams({ 'list-type': '2', prefix, ...(token && { 'continuation-token': token }) });
        const page = await text(await send('GET', urlOf('', `?${query}`)));
        keys.push(...[...page.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key));
        token = /<NextContinuationToken>([^<]+)</.exec(page)?.[1];
      }
      return keys;
    },
  };
}

interface Sending {
  readonly method: string;
  readonly headers: Record<string, string | number>;
  readonly ca: string | undefined;
}

async function exchange(url: string, sending: Sending, body: Body | undefined): Promise<IncomingMessage> {
  const start = url.startsWith('https:') ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = start(url, { ...sending, timeout: silenceMs }, resolve);
  sent.once('error', (error) => reject(unreachable(url, error)));
  sent.once('timeout', () => sent.destroy(new Error(`no answer for ${silenceMs / 1000} s`)));
  // A server that refuses early stops reading; its answer says why.
  if (body?.file !== undefined) pipeline(createReadStream(body.file), sent).catch(() => {});
  else sent.end(body?.text);
  return promise;
}

const unreachable = (url: string, error: Error): CausewayError =>
  new CausewayError(
    'CW-BACKUP-UNREACHABLE',
    `the bucket at ${new URL(url).origin} cannot be reached: ${error.message}`,
    'see that the endpoint in Seed.spec.backup.s3 is right, that the way to it is open, and that its CA is in trustBundle',
  );

function refused({ bucket, endpoint }: S3Options, method: string, status: number, answer: string): CausewayError {
  const code = /<Code>([^<]*)</.exec(answer)?.[1] ?? `status ${status}`;
  return new CausewayError(
    'CW-BACKUP-REFUSED',
    `the bucket ${bucket} at ${endpoint} refused ${method}: ${code}`,
    'see that the bucket exists, and that its access keys may read, write, list and delete in it',
  );
}
