// Somebody at the address of a node who is not its kubelet.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../../support/gateway/until.ts';
import type { Machine } from './machine.ts';

export interface Impostor {
  /** What came, in order. */
  heard(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Has the address of the node, and a certificate for it that it has made itself. */
export async function openImpostor(machine: Machine, node: string): Promise<Impostor> {
  const at = (name: string): string => path.join(machine.directory, `impostor.${name}`);
  const addresses = (await machine.run('hostname', '--all-ip-addresses')).trim().split(/\s+/);
  const names = addresses.map((address) => `IP:${address}`).join(',');
  const asked = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', `/O=system:nodes/CN=system:node:${node}`];
  await machine.run(
    'openssl',
    'req',
    ...asked,
    '-addext',
    `subjectAltName=${names}`,
    '-keyout',
    at('key'),
    '-out',
    at('crt'),
  );
  writeFileSync(at('heard'), '');
  writeFileSync(
    at('mjs'),
    `import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
const hear = (what) => appendFileSync(${JSON.stringify(at('heard'))}, what + '\\n');
const [key, cert] = ${JSON.stringify([at('key'), at('crt')])}.map((file) => readFileSync(file));
createServer({ key, cert }, (request, response) => {
  hear('asked for ' + request.url);
  response.end('what you want to hear');
}).on('connection', () => hear('connected')).listen(10250, () => console.log('listening'));
`,
  );
  const start = `setsid '${process.execPath}' '${at('mjs')}' >'${at('log')}' 2>&1 & echo $!`;
  const pid = (await machine.run('sh', '-c', start)).trim();
  await until(() => readFileSync(at('log'), 'utf8').includes('listening'));
  return {
    heard: async () => readFileSync(at('heard'), 'utf8').split('\n').filter(Boolean),
    stop: async () => void (await machine.run('kill', pid)),
  };
}
