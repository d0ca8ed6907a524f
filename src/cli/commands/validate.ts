import type { Format } from '../../model/report/index.ts';
import { printFindings, reviewPath } from '../pipeline.ts';

export async function runValidate(path: string, options: { output: Format }): Promise<number> {
  const reviewed = await reviewPath(path);
  return printFindings(reviewed, process.stdout, options.output);
}
