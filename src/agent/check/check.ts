// `causeway agent --check`: tries the way once, and tells what became of each hop.
import { exitCodes } from '../../core/errors.ts';
import { thisMachine, type Vantage } from '../../net/wire/index.ts';
import { createLog, type Log } from '../../sys/log.ts';
import { routesOf } from '../dialer.ts';
import type { AgentOptions } from '../options.ts';
import { tokenFrom } from '../token.ts';
import { type CheckedGateway, checkGateway, type Hop } from './check-gateway.ts';

export async function checkPath(
  options: AgentOptions,
  log: Log,
  vantage: Vantage = thisMachine,
): Promise<CheckedGateway[]> {
  const routeTo = routesOf(options, log, vantage);
  const read = options.tokenFile === undefined ? undefined : tokenFrom(options.tokenFile, log);
  const token = read && (() => read().text);
  const checked: CheckedGateway[] = [];
  for (const gateway of options.gateways) checked.push(await checkGateway({ options, routeTo, token }, gateway));
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

// The hops as a person reads them.

export const checkText = (gateways: readonly CheckedGateway[]): string => gateways.map(gatewayText).join('\n');

const gatewayText = ({ gateway, hops }: CheckedGateway): string =>
  `gateway ${gateway}\n${hops.map((hop) => `${hopText(hop)}\n`).join('')}`;

const nameWidth = 16;
const indent = ' '.repeat(2 + 9);

function hopText({ hop, outcome, ms, detail, code, fix }: Hop): string {
  const name = hop.replace('-', ' ').replace('tls', 'TLS').replace('api', 'API').padEnd(nameWidth);
  const time = (ms === undefined ? '' : `${Math.round(ms)} ms`).padStart(8);
  const line = `  ${outcome.padEnd(9)}${name}${time}`;
  if (outcome !== 'failed') return `${line}  ${detail ?? ''}`.trimEnd();
  const mark = code === undefined ? '' : ` [${code}]`;
  return `${line.trimEnd()}\n${indent}${detail}${mark}${fix === undefined ? '' : `\n${indent}fix: ${fix}`}`;
}
