// The questions of `init`, for a person at a terminal.
import { cancel, intro, isCancel, select, text } from '@clack/prompts';
import { CausewayError, exitCodes } from '../../core/errors.ts';
import { hostProblem } from '../../core/names.ts';
import type { Answers } from './templates.ts';

const hints: Record<string, string> = {
  local: 'everything on one machine',
  vsphere: 'seed and workers in vSphere, MetalLB with BGP',
  openstack: 'one project per tenant, floating IPs',
  azure: 'a second seed in Azure',
  aws: 'seed and workers in AWS',
  'behind-proxy': 'workers that only a corporate proxy leads out of',
  'air-gapped': 'no internet; private registry and mirrors',
};

export async function askTemplate(names: readonly string[]): Promise<string> {
  intro('causeway init');
  return kept(
    await select({
      message: 'Which is closest to what you have?',
      options: names.map((value) => ({ value, label: value, hint: hints[value] ?? '' })),
    }),
  );
}

export async function askAnswers(proposed: Answers): Promise<Answers> {
  const domain = kept(
    await text({
      message: 'Domain of the platform',
      initialValue: proposed.domain,
      validate: (value) => hostProblem(value ?? ''),
    }),
  );
  const name = kept(await text({ message: 'Name of the platform', initialValue: proposed.name }));
  return { domain, name };
}

function kept<Value>(value: Value): Exclude<Value, symbol> {
  if (!isCancel(value)) return value as Exclude<Value, symbol>;
  cancel('Nothing was written.');
  throw new CausewayError('CW-CLI-CANCELLED', 'cancelled', 'run causeway init again', exitCodes.usage);
}
