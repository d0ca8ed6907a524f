// What the manifests say about a row of the catalogue, in a few words. Secrets appear as references only.

import type { Model, Platform, SecretRef, Seed } from '../../model/schema/index.ts';
import { issuerUrlOf } from '../places/identity.ts';
import { loadBalancerAnswers } from './load-balancer-answers.ts';
import { providerAnswers } from './provider-answers.ts';

export type Answers = Readonly<Record<string, readonly (string | undefined)[]>>;

/** Per row, what is written down. Rows without an answer are absent. */
export const documentedAnswers = (documents: Omit<Model, 'clusters'>): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    mergedAnswers([
      platformAnswers(documents),
      accessAnswers(documents.platform),
      authenticationAnswers(documents.platform),
      seedAnswers(documents.seeds),
      loadBalancerAnswers(documents),
      providerAnswers(documents.datacenters),
    ]),
  );

export function mergedAnswers(all: readonly Answers[]): Map<string, string[]> {
  const merged = new Map<string, string[]>();
  for (const [row, texts] of all.flatMap((answers) => Object.entries(answers))) {
    const known = texts.filter((text) => text !== undefined);
    if (known.length > 0) merged.set(row, [...(merged.get(row) ?? []), ...known]);
  }
  return merged;
}

const referenceText = (ref: SecretRef | undefined): string | undefined =>
  ref?.env !== undefined ? `variable ${ref.env}` : ref?.file !== undefined ? `file ${ref.file}` : secretText(ref);

const secretText = (ref: SecretRef | undefined): string | undefined =>
  ref?.secret === undefined
    ? undefined
    : `Secret ${ref.secret.namespace ? `${ref.secret.namespace}/` : ''}${ref.secret.name}`;

const labelled = (label: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : `${label}: ${text}`;

type Management = Pick<Seed['spec'], 'api' | 'nodes'>;
const controlPlaneText = ({ api, nodes }: Management): string | undefined =>
  nodes.controlPlane && `API ${api.host}:${api.port ?? 6443}, ${nodes.controlPlane.join(' ')}`;

function platformAnswers({ platform: { spec }, seeds, pools }: Pick<Model, 'platform' | 'seeds' | 'pools'>): Answers {
  const { dns, certificates, configRepository: repository, egress } = spec;
  const store = repository?.keyStore;
  const ranges = pools.map((pool) => `pool ${pool.metadata.name}: ${pool.spec.ranges.join(' ')}`);
  const modes = Object.keys(certificates ?? {}).filter((key) => !['wildcard', 'trustBundle'].includes(key));
  return {
    'DOC-1': [spec.release && `release ${spec.release}`],
    'DOC-2': spec.decisions?.map((d) => `${d.row}: ${d.choice} (${d.owner}: ${d.reason})`) ?? [
      'no deviation is recorded',
    ],
    'INF-3': [spec.master.nodes.zones && `master in ${spec.master.nodes.zones.join(' ')}`],
    'INF-5': [labelled('master', controlPlaneText(spec.master))],
    'INF-9': [dns?.provider, referenceText(dns?.update), spec.access?.contact],
    'INS-2': [referenceText(spec.pullSecret)],
    'INS-3': [spec.edition && `${spec.edition}, ${seeds.length} seed${seeds.length === 1 ? '' : 's'}`],
    'CFG-1': [repository?.url],
    'CFG-2': [store?.vault?.address, store?.gitCrypt ? 'git-crypt' : undefined, store?.other],
    'DNS-13': [dns?.externalDNS ? `external-dns with ${dns.provider ?? 'a provider still to be named'}` : undefined],
    'CRT-8': modes,
    'PRX-1': [egress?.mode && `mode ${egress.mode}`, spec.proxy?.https ?? spec.proxy?.http],
    'OFF-1': [spec.registry?.host],
    'XPS-2': [spec.exposeStrategy],
    'VS-5': ranges,
    'VS-8': ranges,
    'NET-5': [spec.corporateNetworks && `corporate networks ${spec.corporateNetworks.join(' ')}`],
  };
}

function accessAnswers({ spec: { access, dns } }: Platform): Answers {
  const hostText = (host: { host: string; port?: number; user?: string } | undefined): string | undefined =>
    host && `${host.user ? `${host.user}@` : ''}${host.host}:${host.port ?? 22}`;
  return {
    'ACC-1': [hostText(access?.installer)],
    'ACC-2': [access?.bastion ? hostText(access.bastion) : access?.installer && 'direct, no bastion'],
    'ACC-6': [dns?.servers && `DNS servers ${dns.servers.join(' ')}`, access?.firewallExport, access?.contact],
    'TOL-3': [access?.installer?.toolContainer],
  };
}

function authenticationAnswers(platform: Platform): Answers {
  const { dex, external } = platform.spec.authentication ?? {};
  const organisations = dex?.connectors?.flatMap((connector) => connector.organization ?? []) ?? [];
  return {
    'AUT-1': [dex && issuerUrlOf(platform)],
    'AUT-2': dex?.connectors?.map((c) => `${c.type} ${c.name}${c.endpoint ? ` at ${c.endpoint}` : ''}`) ?? [],
    'AUT-3': [dex?.staticUsers?.map((user) => user.email).join(' ')],
    'AUT-4': organisations,
    'AUT-5': [external && `${external.issuer}, client ${external.clientID}`],
  };
}

function seedAnswers(seeds: readonly Seed[]): Answers {
  const each = (answer: (spec: Seed['spec']) => string | undefined): (string | undefined)[] =>
    seeds.map((seed) => labelled(`seed ${seed.metadata.name}`, answer(seed.spec)));
  const { s3, minio } = { s3: (s: Seed['spec']) => s.backup?.s3, minio: (s: Seed['spec']) => s.backup?.minio };
  return {
    'INF-3': each((s) => s.nodes.zones?.join(' ')),
    'INF-5': each(controlPlaneText),
    'INF-7': each((s) => s.storage?.expectation),
    'XPS-2': each((s) => s.exposeStrategy),
    'SED-1': each((s) => s.provisioning && `${s.provisioning.tool} ${s.provisioning.manifest ?? ''}`.trim()),
    'STO-1': each((s) => s.storage?.fast?.class),
    'STO-5': each((s) => (s.storage?.fast?.ssd === undefined ? undefined : s.storage.fast.ssd ? 'SSD' : 'no SSD')),
    'STO-6': each((s) => s.storage?.default?.class),
    'STO-7': each((s) => s.storage?.backup?.class),
    'STO-8': each((s) => s3(s) && `bucket ${s3(s)?.bucket} at ${s3(s)?.endpoint}`),
    'STO-9': each((s) => minio(s) && `MinIO on ${minio(s)?.storageClass}, ${minio(s)?.capacityGiB} GiB`),
    'MLA-1': each((s) => s.monitoring && estimate(s.monitoring)),
    'MLA-4': each((s) => (s.monitoring?.dedicatedNodes ? 'own nodes' : undefined)),
  };
}

const estimate = (m: NonNullable<Seed['spec']['monitoring']>): string =>
  [
    m.userClusters ? 'user clusters are monitored' : 'user clusters are not monitored',
    m.activeSeries && `${m.activeSeries} series`,
    m.logsGiBPerDay && `${m.logsGiBPerDay} GiB of logs a day`,
    m.retentionDays && `kept for ${m.retentionDays} days`,
  ]
    .filter(Boolean)
    .join(', ');
