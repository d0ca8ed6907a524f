// The program of a worker: carries connections, and does what its supervisor asks.
import { readAdminAddress } from '../../net/index.ts';
import { createLog, type Level, type Log, surviveClosedOutput } from '../../sys/log.ts';
import { exchangeMs } from './limit-exchange.ts';
import type { Answer, FromWorker, ToWorker } from './messages.ts';
import { successorAt } from './orphaned-workers.ts';
import { type GatewayWorker, startWorker } from './worker.ts';

const countersMs = 1000;

surviveClosedOutput();
process.title = 'causeway gateway worker';
/** Only for a worker whose supervisor is gone. */
const ownLog = createLog({ fields: { worker: process.pid } });
const say =
  (level: Level): Log[Level] =>
  (message, fields) =>
    process.connected ? tell({ log: { level, message, fields } }) : ownLog[level](message, fields);
const tell = (message: FromWorker, sent: () => void = () => {}): void => {
  if (process.connected) process.send?.(message, undefined, {}, sent);
  else sent();
};

const log: Log = { info: say('info'), warn: say('warn'), error: say('error') };
const worker = startWorker(log);

process.on('message', (message: ToWorker, handle) => {
  if ('others' in message) worker.others(message.others);
  else {
    if (message.question.ask === 'counters') tellCounters();
    void worker.answer(message.question, handle).then(
      (value) => tell({ id: message.id, value } satisfies Answer),
      (error: Error) => tell({ id: message.id, error: error.message }),
    );
  }
});
process.on('disconnect', () => void orphaned(worker));
// The supervisor gets the same signal, and says what is to be done. Without one it is meant for us.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.connected || worker.drain());
for (const signal of ['SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {});

setInterval(() => tellLimits(), exchangeMs);
setInterval(() => tellCounters(), countersMs);
worker.drained.then(() => tellCounters(() => process.exit(0)));
tell({ hello: true });

function tellCounters(sent?: () => void): void {
  tell({ counters: worker.changedCounters() }, sent);
}

function tellLimits(): void {
  const limits = worker.limits();
  if (Object.keys(limits).length > 0) tell({ limits });
}

async function orphaned({ settings, drain, isIdle }: GatewayWorker): Promise<void> {
  const { admin, instance, replacedGraceMs } = settings();
  if (admin === undefined) process.exit(0);
  log.warn('the supervisor was killed; this worker goes on, and makes room when another one is there', { admin });
  const why = await successorAt(readAdminAddress(admin), instance, isIdle);
  log.info(`${why}: this worker takes no more connections`);
  drain(replacedGraceMs);
}
