// `causeway agent` as a person starts it.
import path from 'node:path';
import { type Running, run } from '../child-process.ts';
import type { Place } from './clients.ts';
import { main, ready } from './own-gateway.ts';
import { freePort } from './ports.ts';
import type { Undo } from './undo.ts';

export interface OwnAgentOptions {
  readonly directory: string;
  readonly cluster: string;
  readonly gateways: readonly Place[];
  readonly args: readonly string[];
  /** Where it listens. @default a free port */
  readonly port?: number;
}

export interface OwnAgent {
  readonly process: Running;
  readonly admin: string;
  readonly port: number;
}

let started = 0;

export const gatewayFlags = (gateways: readonly Place[]): string[] =>
  gateways.flatMap(({ host, port }) => ['--gateway', host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`]);

/** Started, and not waited for: it may never be ready. */
export async function runAgent(t: Undo, options: OwnAgentOptions): Promise<OwnAgent> {
  const { directory, cluster, gateways, args } = options;
  const port = options.port ?? (await freePort());
  const admin = path.join(directory, `agent-${++started}.sock`);
  const flags = ['--cluster', cluster, '--listen', `127.0.0.1:${port}`, '--admin', `unix:${admin}`];
  const all = [main, 'agent', ...gatewayFlags(gateways), ...flags, ...args];
  return { process: run(t, { program: process.execPath, args: all }), admin, port };
}

export async function startAgent(t: Undo, options: OwnAgentOptions): Promise<OwnAgent> {
  const agent = await runAgent(t, options);
  await ready(agent.process, agent.admin);
  return agent;
}
