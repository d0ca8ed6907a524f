// A driver in a process of its own, to be killed. Reads its directory and components, and prints what it sees.
import { readFileSync } from 'node:fs';
import type { ComponentSpec } from '../../../control-plane/component.ts';
import { silentLog } from '../../../net/log.ts';
import { createProcessDriver } from '../supervisor.ts';
import { shortPace } from './supervisor.ts';

const [directory = '', specs = ''] = process.argv.slice(2);
const driver = createProcessDriver({ directory, log: silentLog, pace: shortPace });
driver.onChange(() => console.log(JSON.stringify(driver.look())));
driver.apply('cluster/shop', JSON.parse(readFileSync(specs, 'utf8')) as ComponentSpec[]);
process.once('SIGTERM', () => void driver.stop());
