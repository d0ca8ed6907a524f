// Custom resources before the code that kube-apiserver runs: schema, CEL rules, unknown fields.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { needGoModule, needJudge } from './go-programs.ts';

/** Definitions of other projects, by the module they are published in and their directory there. */
export const foreignDefinitions = {
  'external-dns': { module: 'sigs.k8s.io/external-dns@v0.20.0', directory: 'config/crd/standard' },
  'cert-manager': { module: 'github.com/cert-manager/cert-manager@v1.21.2', directory: 'deploy/crds' },
  cilium: { module: 'github.com/cilium/cilium@v1.20.2', directory: 'pkg/k8s/apis/cilium.io/client/crds' },
} as const;

export type ForeignProject = keyof typeof foreignDefinitions;

export async function needDefinitions(t: TestContext, project: ForeignProject): Promise<string | undefined> {
  const { module, directory } = foreignDefinitions[project];
  const found = await needGoModule(t, module);
  return found && path.join(found, directory);
}

export interface Case {
  /** Files or directories of definitions that are taken as they are. */
  readonly trusted?: readonly string[];
  /** Files or directories of definitions that are judged, too. */
  readonly own?: readonly string[];
  /** Files of custom resources. */
  readonly resources: readonly string[];
}

/** One line per problem; none: an API server takes them all. Undefined, and the test skipped, without the judge. */
export async function judgeCustomResources(t: TestContext, judged: Case): Promise<string[] | undefined> {
  const judge = await needJudge(t, 'crd');
  if (judge === undefined) return undefined;
  const lists = ['-crds', (judged.trusted ?? []).join(), '-own', (judged.own ?? []).join()];
  const { status, stdout, stderr } = spawnSync(judge, [...lists, ...judged.resources], { encoding: 'utf8' });
  if (status !== 0 && status !== 1) throw new Error(`the judge could not work: ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
}
