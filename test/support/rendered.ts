// Artefacts of several plans on disk, for the programs that judge them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { Plan } from '../../src/plan/schema/index.ts';
import { renderPlan } from '../../src/render/index.ts';
import { samplePlan } from '../../src/render/testing/sample-plan.ts';

export interface Subject {
  readonly name: string;
  readonly plan: Plan;
}

export const sample: Subject = { name: 'sample', plan: samplePlan };

export function scratchDirectory(t: TestContext): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-judged-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** The files of one artefact, in a directory that goes away with the test. */
export function renderedFiles(t: TestContext, { plan }: Subject, artefact: string): string[] {
  const directory = scratchDirectory(t);
  return renderPlan(plan, { only: [artefact] }).map(({ path: name, text }) => {
    const file = path.join(directory, name.replaceAll('/', '-'));
    writeFileSync(file, text);
    return file;
  });
}

export function renderedFile(t: TestContext, subject: Subject, artefact: string): string {
  const [file] = renderedFiles(t, subject, artefact);
  if (file === undefined) throw new Error(`${artefact} has no file for ${subject.name}`);
  return file;
}
