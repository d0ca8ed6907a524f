import { controlClient } from '../control/control-client.ts';
import { say } from '../started-as.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import { clustersForScripts, manifestErrors, pageLink, type Status, statusText } from '../up/summary.ts';

export async function runStatus(dir: string | undefined, options: { output: 'table' | 'json' }): Promise<number> {
  const control = controlClient(platformDirectory(dir));
  const status = JSON.parse(await control.ask('GET', '/api/v1/status')) as Status;
  if (options.output === 'json') process.stdout.write(`${JSON.stringify(forScripts(status), null, 2)}\n`);
  else say(`${statusText(status, await manifestErrors(control, status))}\npage: ${await pageLink(control)}\n`);
  return 0;
}

const forScripts = ({ clusters, components, ...rest }: Status): object => ({
  clusters: clustersForScripts(clusters),
  components,
  ...rest,
});
