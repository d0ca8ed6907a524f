// node src/api/testing/serve-sample.ts DIR [--port N] [--trouble CLUSTER] [--starting CLUSTER] [--role viewer]
// The API and the page on a copy of these manifests, with nothing running behind them.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createLog } from '../../sys/log.ts';
import { createApi } from '../app.ts';
import { serveApi } from '../serve.ts';
import { createSamplePlatform } from './sample-platform.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '0' },
    trouble: { type: 'string', multiple: true, default: [] },
    starting: { type: 'string', multiple: true, default: [] },
    page: { type: 'string', default: path.resolve(import.meta.dirname, '../../../web/dist') },
  },
});
const directory = mkdtempSync(path.join(tmpdir(), 'causeway-sample-'));
cpSync(positionals[0] ?? 'examples/local', directory, { recursive: true });
const platform = await createSamplePlatform(directory, { trouble: values.trouble, starting: values.starting });
const api = createApi({ platform, auth: { links: true }, pageDirectory: values.page, log: createLog() });
const served = await serveApi({ api, address: { host: '127.0.0.1', port: Number(values.port) } });
process.stdout.write(`${api.loginUrl(served.url)}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await served.close();
    await platform.stop();
    rmSync(directory, { recursive: true });
  });
