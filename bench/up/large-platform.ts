// A platform with so many clusters that something else runs: one server answers for all of them, so that this machine
// carries the platform and not the control planes.
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { createAuthority, issueServer, validFor } from '../../src/pki/index.ts';
import { createSubject, type Subject } from './subject.ts';

const datacenters = 20;

export interface LargeSubject extends Subject {
  readonly clusterNames: readonly string[];
}

export async function withLargePlatform<Result>(
  network: string,
  count: number,
  use: (subject: LargeSubject) => Promise<Result>,
): Promise<Result> {
  const elsewhere = await startElsewhere();
  const subject = createSubject(network, 0);
  try {
    const clusterNames = writeManifests(subject, count, (elsewhere.address() as AddressInfo).port);
    return await use({ ...subject, clusterNames });
  } finally {
    await subject.remove();
    elsewhere.close();
  }
}

/** Whoever looks at its certificate is content. */
async function startElsewhere(): Promise<Server> {
  const validity = validFor(new Date(), 90);
  const { certificate, key } = await issueServer(await createAuthority('bench', validity), ['bench'], validity);
  const server = createServer({ cert: certificate, key }, (socket) => socket.on('error', () => {}).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function writeManifests({ at }: Subject, count: number, port: number): string[] {
  const local = readFileSync(at('datacenters', 'local.yaml'), 'utf8');
  for (let number = 0; number < datacenters; number++) {
    const text = local.replace('name: local', `name: ${datacenterName(number)}`);
    writeFileSync(at('datacenters', `${datacenterName(number)}.yaml`), text.replace('127.40.0.', `127.42.${number}.`));
  }
  const seed = at('seeds', 'local.yaml');
  writeFileSync(seed, readFileSync(seed, 'utf8').replace(/capacityGiB: \d+/g, `capacityGiB: ${count * 10}`));
  return Array.from({ length: count }, (_, number) => {
    const name = `c${String(number).padStart(6, '0')}`;
    writeFileSync(at('clusters', `${name}.yaml`), manifestOf(name, datacenterName(number % datacenters), port));
    return name;
  });
}

const datacenterName = (number: number): string => `dc-${String(number).padStart(2, '0')}`;

const manifestOf = (name: string, datacenter: string, port: number): string =>
  `apiVersion: causeway.dev/v1alpha1
kind: Cluster
metadata:
  name: ${name}
spec:
  datacenter: ${datacenter}
  kubernetesVersion: 1.36.3
  controlPlane:
    external:
      apiServer: ['127.0.0.1:${port}']
      konnectivity: ['127.0.0.1:${port}']
`;
