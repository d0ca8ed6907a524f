// `causeway agent --check`: tries the way once, and tells what became of each hop.
import { exitCodes } from '../../core/errors.ts';
import { createLog, type Log } from '../../net/log.ts';
import { routesOf } from '../dialer.ts';
import type { AgentOptions } from '../options.ts';
import { tokenFrom } from '../token.ts';
import { checkGateway } from './check-gateway.ts';
import type { CheckedGateway } from './hop.ts';
import { checkText } from './text.ts';

export async function checkPath(options: AgentOptions, log: Log, timeoutMs?: number): Promise<CheckedGateway[]> {
  const routeTo = routesOf(options, log);
  const read = options.tokenFile === undefined ? undefined : tokenFrom(options.tokenFile, log);
  const token = read && (() => read().text);
  const checked: CheckedGateway[] = [];
  for (const gateway of options.gateways)
    checked.push(await checkGateway({ options, routeTo, token, timeoutMs }, gateway));
  return checked;
}

/** `say` writes what is for people. */
export async function runCheck(
  options: AgentOptions,
  output: 'text' | 'json',
  say: (text: string) => unknown = (text) => process.stdout.write(text),
): Promise<number> {
  const gateways = await checkPath(options, createLog());
  const ok = gateways.every((gateway) => gateway.ok);
  if (output === 'json') process.stdout.write(`${JSON.stringify({ ok, gateways }, null, 2)}\n`);
  else say(checkText(gateways));
  return ok ? exitCodes.ok : exitCodes.findings;
}
