// A tenant that takes what it can get, as a process of its own: told by its environment, it says "ready" and goes on until it
// is ended.
import { createKubeClient, type KubeAccess } from '../../src/kube/index.ts';

export type NoiseKind = 'lists' | 'writes';

export interface NoiseJob {
  readonly kind: NoiseKind;
  readonly access: KubeAccess;
  /** Requests at the same time. */
  readonly parallel: number;
}

const { kind, access, parallel }: NoiseJob = JSON.parse(process.env.NOISE_JOB ?? '');
const client = createKubeClient(access);
const path = '/api/v1/namespaces/default/configmaps';

const configMap = (name: string, bytes: number): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { filling: 'x'.repeat(bytes) },
});

const listed = 2_000;

async function fill(): Promise<void> {
  for (let from = 0; from < listed; from += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => client.post(path, configMap(`listed-${from + at}`, 4_000)).catch(() => {})),
    );
}

const run = `${process.pid}`;
let written = 0;
const once: Record<NoiseKind, () => Promise<unknown>> = {
  lists: () => client.get(path),
  writes: () => client.post(path, configMap(`written-${run}-${written++}`, 500_000)),
};

if (kind === 'lists') await fill();
process.stdout.write('ready\n');
// What is refused, because the store is full or requests are too many, is asked again: that is what makes it noise.
await Promise.all(
  Array.from({ length: parallel }, async () => {
    for (;;) await once[kind]().catch(() => new Promise((resolve) => setTimeout(resolve, 20)));
  }),
);
