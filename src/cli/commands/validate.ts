import type { Format } from '../../model/report/index.ts';
import { printFindings, reviewPath } from '../pipeline.ts';

export async function runValidate(path: string, options: { output: Format }): Promise<number> {
  const { findings } = await reviewPath(path);
  return printFindings(findings, process.stdout, options.output);
}
