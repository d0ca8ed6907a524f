import { CausewayError, exitCodes } from '../../core/errors.ts';
import { nearest } from '../../core/suggest.ts';
import { artefactNames, renderPlan } from '../../render/index.ts';
import { type Outcome, writeArtefacts } from '../../render/write.ts';
import { fails, printFindings, reviewPath } from '../pipeline.ts';

interface Options {
  readonly out: string;
  readonly only?: readonly string[];
  readonly check?: boolean;
  readonly force?: boolean;
}

/** The checklist shows what is still open, so it is the one artefact that findings do not hold back. */
const always = 'checklist';

export async function runRender(path: string, options: Options): Promise<number> {
  const { planned, findings } = await reviewPath(path);
  const code = printFindings(findings, process.stderr);
  if (planned === undefined) return code;
  const only = options.only?.map(known);
  if (fails(findings) && !(only?.length === 1 && only[0] === always)) {
    throw new CausewayError(
      'CW-RENDER-FINDINGS',
      'nothing was written, because the manifests have errors',
      `mend the findings above; render --only ${always} shows what is open`,
      exitCodes.findings,
    );
  }
  const files = renderPlan(planned.plan, planned.model, only === undefined ? {} : { only });
  const outcome = writeArtefacts(files, options.out, { check: options.check ?? false, force: options.force ?? false });
  return report(outcome, options) ? code : exitCodes.findings;
}

function known(name: string): string {
  if (artefactNames.includes(name)) return name;
  const guess = nearest(name, artefactNames);
  throw new CausewayError(
    'CW-RENDER-NAME',
    `there is no artefact "${name}"`,
    `${guess === undefined ? '' : `did you mean ${guess}? `}Known are ${artefactNames.join(', ')}.`,
  );
}

/** True when everything is as it should be. */
function report(outcome: Outcome, options: Options): boolean {
  const line = (verb: string, paths: readonly string[]): string => paths.map((path) => `${verb} ${path}\n`).join('');
  if (options.check) {
    process.stdout.write(
      outcome.drift.length === 0
        ? `${options.out} is up to date\n`
        : outcome.drift.map((d) => `${d.kind} ${d.path}\n`).join(''),
    );
    return outcome.drift.length === 0;
  }
  process.stdout.write(
    `${line('wrote', outcome.written)}${line('removed', outcome.removed)}${outcome.unchanged.length} unchanged\n`,
  );
  return true;
}
