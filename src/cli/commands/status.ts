import { controlClient } from '../../up/control/control-client.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import { type Status, statusText } from '../up/summary.ts';

export async function runStatus(dir: string | undefined, options: { output: 'table' | 'json' }): Promise<number> {
  const answer = await controlClient(platformDirectory(dir)).ask('GET', '/api/v1/status');
  const status = JSON.parse(answer) as Status;
  process.stdout.write(options.output === 'json' ? `${JSON.stringify(status, null, 2)}\n` : statusText(status));
  return 0;
}
