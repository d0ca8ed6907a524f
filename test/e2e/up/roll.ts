// Another version of Kubernetes, as somebody sees it who edits a manifest.
import assert from 'node:assert/strict';
import { until } from '../../support/gateway/until.ts';
import type { LocalPlatform } from '../../support/local-platform.ts';
import type { Running } from './running.ts';

export const [older, newer] = ['1.36.1', '1.36.3'] as const;

export const setVersion = (local: LocalPlatform, cluster: string, version: string): void =>
  local.edit(`clusters/${cluster}.yaml`, (text) => text.replace(/(kubernetesVersion:) \S+/, `$1 ${version}`));

/** The history tells the steps in this order; between them there may be others. */
export function assertSteps(messages: readonly string[], steps: readonly RegExp[]): void {
  let at = -1;
  for (const step of steps) {
    at = messages.findIndex((message, index) => index > at && step.test(message));
    assert.notEqual(at, -1, `${step} is not told, or not in its turn:\n${messages.join('\n')}`);
  }
}

/** Nodes follow when their control plane is there. */
export async function nodesHave(platform: Running, cluster: string, version: string): Promise<boolean> {
  const column = 'custom-columns=V:.status.nodeInfo.kubeletVersion';
  const told = await platform.kubectl(cluster, ['get', 'nodes', '--no-headers', '-o', column]).catch(() => '');
  return told.trim() === `v${version}\nv${version}`;
}

export async function rollsByEdit(platform: Running, local: LocalPlatform, cluster: string): Promise<void> {
  assert.ok(await nodesHave(platform, cluster, older));
  const { last } = await platform.events();
  const messages = async (): Promise<string[]> => (await platform.events(last)).items.map(({ message }) => message);
  const replaced = (name: string): string =>
    `${name} of cluster/${cluster} is healthy, with version ${newer} instead of ${older}`;
  setVersion(local, cluster, newer);
  await until(async () => (await messages()).includes(replaced('kube-scheduler')), 180_000);
  assertSteps(await messages(), [
    new RegExp(`^Cluster/${cluster} was changed$`),
    new RegExp(`^${cluster} was saved as \\S+-upgrade, and goes from Kubernetes ${older} to ${newer}$`),
    new RegExp(`^${cluster} is not ready any more: kube-apiserver`),
    new RegExp(replaced('kube-apiserver')),
    new RegExp(replaced('kube-controller-manager')),
    new RegExp(replaced('kube-scheduler')),
  ]);
  const backups = await platform.causeway('cluster', 'backups', cluster);
  assert.match(backups.stdout, new RegExp(`-upgrade .*${older}`));
}
