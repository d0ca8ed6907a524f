// Does one of the scenarios, and is killed at one of its operations.
import { onDisk } from './disk.ts';

const { scenarios } = await import('./scenarios.ts');
const [name = '', directory = '', dir = '', at] = process.argv.slice(2);
const { etcdTools } = await import('../../../src/runtime/local/testing/etcd-tools.ts');
const tools = etcdTools(dir.replace(/\/tools$/, ''));
const scenario = scenarios[name];
await onDisk(directory, { kind: 'kill', at: Number(at), really: true }, async () =>
  scenario?.act({ directory, tools }),
);
process.exitCode = 1;
