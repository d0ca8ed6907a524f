import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { CausewayError } from '../../core/errors.ts';
import { hostPort } from '../../core/host-port.ts';
import { builtInEngine, type Listening } from '../../gateway/index.ts';
import { type AdminAddress, adminAddressText, readAdminPlace, usualAdminSocket } from '../../net/index.ts';
import { type Log, surviveClosedOutput } from '../../sys/log.ts';
import { readDuration } from '../duration-option.ts';
import { foregroundLog } from '../started-as.ts';

interface Options {
  readonly snapshot?: string;
  readonly listen?: readonly string[];
  readonly admin?: string;
  readonly adminTokenFile?: string;
  readonly workers?: string;
  readonly grace: string;
  readonly replacedGrace?: string;
  readonly successor?: string;
  readonly startEmpty?: boolean;
  readonly pidFile?: string;
}

const loopback = ['127.0.0.1', '::1'];
const mostWorkers = 256;

export async function runGatewayCommand(options: Options): Promise<number> {
  const { snapshot, replacedGrace, successor, startEmpty = false } = options;
  if (snapshot === undefined) throw noSnapshot();
  surviveClosedOutput();
  process.title = 'causeway gateway';
  const log = foregroundLog();
  const code = await builtInEngine.run({
    snapshotFile: snapshot,
    addresses: (options.listen ?? loopback).map(readAddress),
    admin: readAdminPlace(options.admin ?? adminAddressText(usualAdminSocket('gateway')), options.adminTokenFile),
    workers: readWorkers(options.workers),
    graceMs: readDuration('--grace', options.grace, { zero: true }),
    ...(replacedGrace !== undefined && {
      replacedGraceMs: readDuration('--replaced-grace', replacedGrace, { zero: true }),
    }),
    ...(successor !== undefined && { successorFile: successor }),
    startEmpty,
    pidFile: options.pidFile,
    log,
    started: (listening, admin) => announce(log, listening, tryNext(admin, options.adminTokenFile)),
  });
  // Handles of the system may still be open; everything that matters has ended.
  process.exit(code);
}

const noSnapshot = (): CausewayError =>
  new CausewayError(
    'CW-CLI-SNAPSHOT',
    'a gateway needs a snapshot to run by',
    'causeway gateway --snapshot FILE; examples/gateway/snapshot.json is one to begin with',
  );

function readAddress(text: string): string {
  if (isIP(text) !== 0) return text;
  throw new CausewayError('CW-CLI-LISTEN', `"${text}" is no IP address`, 'for example --listen 0.0.0.0 --listen ::');
}

function readWorkers(text: string | undefined): number {
  if (text === undefined) return availableParallelism();
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= mostWorkers) return count;
  throw new CausewayError('CW-CLI-WORKERS', `"${text}" is no number of workers`, `write 1 to ${mostWorkers}`);
}

function announce(log: Log, listening: readonly Listening[], next: Record<string, string>): void {
  for (const [kind, listeners] of Map.groupBy(listening, (listener) => listener.kind))
    log.info(`listening for ${words[kind]}`, { at: shortList(listeners) });
  log.info('serving; try next', next);
}

const words: Record<Listening['kind'], string> = {
  sni: 'API servers and konnectivity by SNI',
  tunnel: 'tunnels of agents',
  single: 'everything on one port, by SNI',
  nodePort: 'clusters by node port',
  address: 'clusters by their own address',
};

const shown = 6;
function shortList(listeners: readonly Listening[]): string {
  const texts = listeners.slice(0, shown).map(({ address, port }) => hostPort(address, port));
  return listeners.length > shown ? `${texts.join(' ')} and ${listeners.length - shown} more` : texts.join(' ');
}

function tryNext(admin: AdminAddress, tokenFile = ''): Record<string, string> {
  if (admin.path !== undefined) {
    const curl = `curl --unix-socket ${admin.path} http://localhost`;
    return { ready: `${curl}/readyz`, metrics: `${curl}/metrics` };
  }
  const base = `http://${adminAddressText(admin)}`;
  return {
    ready: `curl ${base}/readyz`,
    metrics: `curl -H "Authorization: Bearer $(cat ${tokenFile})" ${base}/metrics`,
  };
}
