// A supervisor in a process of its own, to be killed. Reads its directory and components, and prints what it sees.
import { readFileSync } from 'node:fs';
import type { ComponentSpec } from '../../../control-plane/index.ts';
import { silentLog } from '../../../sys/log.ts';
import { createSupervisor } from '../supervisor.ts';
import { shortRestartPolicy } from './supervisor.ts';

const [directory = '', specs = ''] = process.argv.slice(2);
const supervisor = createSupervisor({ directory, log: silentLog, restartPolicy: shortRestartPolicy });
supervisor.onChange(() => console.log(JSON.stringify(supervisor.look())));
supervisor.apply('cluster/shop', JSON.parse(readFileSync(specs, 'utf8')) as ComponentSpec[]);
process.once('SIGTERM', () => void supervisor.stop());
