// Small valid manifests for tests, one text per document.
import { type Loaded, loadFiles } from '../load/load-files.ts';

const head = (kind: string, name: string): string =>
  `apiVersion: causeway.dev/v1alpha1\nkind: ${kind}\nmetadata:\n  name: ${name}\n`;

export const platform = `${head('Platform', 'acme')}spec:
  domain: k8s.acme.example
  users:
    networks: [10.200.0.0/16]
  master:
    nodes: {networks: [10.10.0.0/24]}
    api: {host: api.acme.example}
  ingress:
    address: {ips: [192.0.2.10]}
`;

export const seed = (name = 'eu'): string => `${head('Seed', name)}spec:
  api: {host: api.${name}.acme.example}
  nodes: {networks: [10.11.0.0/24]}
  gateway:
    address: {pool: vips}
`;

export const datacenter = (name = 'rack', ofSeed = 'eu'): string => `${head('Datacenter', name)}spec:
  seed: ${ofSeed}
  provider: {bare: {}}
  nodes: {networks: [10.20.0.0/16]}
  tenants:
    - {name: shop, networks: [10.20.1.0/24]}
`;

export const pool = (name = 'vips', ofSeed = 'eu'): string => `${head('AddressPool', name)}spec:
  seed: ${ofSeed}
  ranges: [192.0.2.32/27]
`;

/** `spec` is put below `spec:`, already indented. */
export const cluster = (name = 'web', spec = '  datacenter: rack\n  kubernetesVersion: 1.36.3\n'): string =>
  `${head('Cluster', name)}spec:\n${spec}`;

export const everything = [platform, seed(), datacenter(), pool(), cluster()];

/** Each text as a file of its own: 0.yaml, 1.yaml … */
export const loadTexts = (...texts: readonly string[]): Loaded =>
  loadFiles(texts.map((text, index) => ({ path: `${index}.yaml`, text })));

/** What was found in `text` beside a valid platform: code, place and field, one line each. */
export const findingsIn = (text: string): string[] =>
  loadFiles([
    { path: 'base.yaml', text: [platform, seed(), datacenter(), pool()].join('---\n') },
    { path: 'x.yaml', text },
  ]).findings.map(({ code, position, path }) =>
    `${code} ${position?.line}:${position?.column} ${(path ?? []).join('.')}`.trim(),
  );
