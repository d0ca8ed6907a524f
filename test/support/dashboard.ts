// The page and its API on sample manifests, with nothing running behind them: what a browser is pointed at.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ApiOptions, createApi } from '../../src/api/app.ts';
import { serveApi } from '../../src/api/serve.ts';
import {
  createSamplePlatform,
  type SampleOptions,
  type SamplePlatform,
} from '../../src/api/testing/sample-platform.ts';
import { ensurePage } from '../../src/cli/page/ensure-page.ts';
import { silentLog } from '../../src/sys/log.ts';
import { type Undo, undoAfter } from './gateway/undo.ts';
import { projectRoot } from './source-tree.ts';

export interface DashboardOptions extends SampleOptions {
  /** Of examples/. @default local */
  readonly example?: string;
  /** Manifests beside those of the example, or in their place. */
  readonly manifests?: Readonly<Record<string, string>>;
  readonly auth?: ApiOptions['auth'];
  readonly started?: ApiOptions['started'];
  /** @default any free one */
  readonly port?: number;
}

export interface Dashboard {
  readonly platform: SamplePlatform;
  /** Of the manifests; edits are picked up. */
  readonly directory: string;
  /** Address of a page. */
  at(page: string): string;
  /** An address that signs in whoever opens it first. */
  link(): string;
  write(file: string, text: string): void;
}

export async function startDashboard(t: Undo, options: DashboardOptions = {}): Promise<Dashboard> {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-dashboard-'));
  const undo = undoAfter(t);
  undo.after(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(path.join(projectRoot, 'examples', options.example ?? 'local'), directory, { recursive: true });
  const write = (file: string, text: string): void => writeFileSync(path.join(directory, file), text);
  for (const [file, text] of Object.entries(options.manifests ?? {})) write(file, text);
  const platform = await createSamplePlatform(directory, options);
  undo.after(() => platform.stop());
  const pageDirectory = await ensurePage({ root: projectRoot, log: silentLog });
  const { auth = { links: true }, started } = options;
  const api = createApi({ platform, auth, pageDirectory, ...(started === undefined ? {} : { started }) });
  const { url = '', close } = await serveApi({ api, address: { host: '127.0.0.1', port: options.port ?? 0 } });
  undo.after(close);
  return {
    platform,
    directory,
    at: (page) => new URL(page, url).href,
    link: () => api.loginUrl(url),
    write,
  };
}
