// A whole platform in this process, until somebody asks for its end.

import { statSync } from 'node:fs';
import path from 'node:path';
import { manifestDirectory } from '../../manifests/index.ts';
import { type Platform, startPlatform } from '../../platform/index.ts';
import { platformHome } from '../../runtime/local/home.ts';
import { createLocalRuntime, openOwnLog } from '../../runtime/local/index.ts';
import type { AllowedSecrets } from '../../runtime/local/secret-places.ts';
import { type Log, surviveClosedOutput } from '../../sys/log.ts';
import { startBundling } from '../bundle/start-bundling.ts';
import type { UpOptions } from '../commands/up.ts';
import { backupCommands, type Command } from '../control/backup-commands.ts';
import { serveControl } from '../control/control-server.ts';
import { prefetchKubectl } from '../kubectl/prefetch.ts';
import { say, withTypedCommands } from '../started-as.ts';
import type { PagePlace } from './page-flags.ts';
import { type ProgressView, progressView } from './progress-view.ts';
import type { Page } from './serve-page.ts';
import { brokenText, startedText } from './summary.ts';

export async function runPlatform(directory: string, place: PagePlace, options: UpOptions): Promise<never> {
  process.title = 'causeway up';
  // As after Ctrl-C in "causeway up | tee", which ends tee first.
  surviveClosedOutput();
  const log = openOwnLog(platformHome(directory));
  const manifests = path.resolve(directory);
  const runtime = createLocalRuntime({ directory: manifests, secrets: allowedSecrets(options) });
  const platform = await startPlatform({
    manifests: manifestDirectory(manifests),
    runtime,
    log,
    ...(options.workers === undefined ? {} : { workers: options.workers }),
    ...(options.clusters === undefined ? {} : { clusters: options.clusters.split(',') }),
  });
  try {
    // Loading takes as long as a store does to start, so it is done meanwhile.
    const { servePage } = await import('./serve-page.ts');
    const page = await servePage(platform, place, options, log);
    await serve(platform, directory, page, backupCommands(runtime.backupsOf), log);
  } catch (error) {
    await platform.stop();
    throw error;
  }
  // Handles of the system may still be open; everything that matters has ended.
  process.exit(0);
}

const allowedSecrets = ({ secretsDir, secretEnv = [] }: UpOptions): AllowedSecrets => ({
  variables: secretEnv,
  ...(secretsDir === undefined ? {} : { directory: path.resolve(secretsDir) }),
});

/** Until somebody asks for the end. */
async function serve(platform: Platform, directory: string, page: Page, command: Command, log: Log): Promise<void> {
  const stopping = Promise.withResolvers<void>();
  const stop = (): void => stopping.resolve();
  const socket = platformHome(directory).controlSocket;
  const { audit } = page;
  const control = await serveControl({ socket, api: page.trusted, link: page.link, stop, command, audit });
  const view = progressView(platform, withTypedCommands(process.stdout));
  listenToSignals(platform, view, stop);
  announce(platform, directory, page, view, log);
  const polling = stopWhenRemoved(directory, view, stop);
  await stopping.promise;
  clearInterval(polling);
  view.say(stoppingText(platform));
  await platform.stop();
  await control.close();
  await page.close();
  view.close();
  say('stopped; "causeway up" starts it again with its data\n');
}

/** The page at once, the rest when all of it is there. */
function announce(platform: Platform, directory: string, page: Page, view: ProgressView, log: Log): void {
  view.say(`page: ${page.link()}\n`);
  const { broken, findings } = platform.view();
  if (broken) view.say(brokenText(findings, directory));
  const forget = platform.onChange(() => {
    const now = platform.view();
    if (now.phase !== 'running') return;
    forget();
    view.say(`${startedText({ ...now, directory }, page.link())}Ctrl-C stops it.\n`);
    startBundling();
    void prefetchKubectl(now.clusters, log);
  });
}

const pollMs = 2_000;

/** Without its data there is nothing to look after, and nobody could find this process to end it. */
function stopWhenRemoved(directory: string, view: ProgressView, stop: () => void): NodeJS.Timeout {
  const { state } = platformHome(directory);
  // By its number: a log that goes on may have made another one of the same name.
  const number = (): number | undefined => statSync(state, { throwIfNoEntry: false })?.ino;
  const own = number();
  const polling = setInterval(() => {
    if (number() === own) return;
    clearInterval(polling);
    view.say(`${state} is gone, so the platform ends\n`);
    stop();
  }, pollMs);
  return polling;
}

/** The first one in order, the second one at once. */
function listenToSignals(platform: Platform, view: ProgressView, stop: () => void): void {
  let asked = 0;
  const heard = (): void => {
    stop();
    if (++asked === 1) return;
    view.say('ending what is left at once\n');
    for (const pid of programsOf(platform)) endNow(pid);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, heard);
}

/** Those that it started, and not itself. */
const programsOf = (platform: Platform): number[] =>
  platform.view().components.flatMap(({ pid }) => (pid === undefined || pid === process.pid ? [] : [pid]));

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

function stoppingText(platform: Platform): string {
  return `stopping: waiting for ${programsOf(platform).length} programs to end in order (Ctrl-C again ends them at once)\n`;
}
