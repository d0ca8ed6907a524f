// A bucket in memory, whose objects a test may read and write as somebody who has access to it could.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { S3Options } from '../backup/s3-client.ts';

export interface Bucket {
  readonly options: S3Options;
  readonly objects: Map<string, Buffer>;
}

export async function startBucket(t: { after(undo: () => unknown): void }): Promise<Bucket> {
  const objects = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://bucket');
    const key = decodeURIComponent(url.pathname.replace('/saved/', ''));
    const prefix = url.searchParams.get('prefix');
    if (prefix !== null) {
      const keys = [...objects.keys()].filter((one) => one.startsWith(prefix)).sort();
      return response.end(keys.map((one) => `<Key>${one}</Key>`).join(''));
    }
    if (request.method === 'PUT') objects.set(key, await buffer(request));
    if (request.method === 'DELETE') objects.delete(key);
    const found = objects.get(key);
    if (request.method === 'GET' && found === undefined) return response.writeHead(404).end();
    return response.end(request.method === 'GET' ? found : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
  return { options: { endpoint, bucket: 'saved', region: 'us-east-1', credentials }, objects };
}
