import type { Format } from '../../model/report/index.ts';
import { printFindings, reviewPath } from '../pipeline.ts';
import { platformDirectory } from '../up/choose-directory.ts';

export async function runValidate(dir: string | undefined, options: { output: Format }): Promise<number> {
  const reviewed = await reviewPath(platformDirectory(dir));
  return printFindings(reviewed, process.stdout, options.output);
}
