// Decisions that somebody has to take before the platform can be built, and that the manifests do not answer yet.
// One table: a question, the catalogue row it comes from, and the field that answers it.
import type { Datacenter, Model, Platform, Seed } from '../../model/schema/index.ts';

export interface OpenDecision {
  /** Catalogue row that asks for the decision. */
  readonly row: string;
  readonly question: string;
  /** Field that would answer it, as in spec.loadBalancer. */
  readonly field: string;
  /** Document the field belongs to, as in Seed/west. */
  readonly resource: string;
}

type Documents = Pick<Model, 'platform' | 'seeds' | 'datacenters'>;

interface Question<Resource> {
  readonly row: string;
  readonly field: string;
  readonly question: string;
  readonly answered: (resource: Resource, documents: Documents) => boolean;
}

const set = (value: unknown): boolean => value !== undefined;
const hasSource = ({ ips, hostname, pool, dynamic }: Seed['spec']['gateway']['address']): boolean =>
  set(ips) || set(hostname) || set(pool) || dynamic === true;

const platformQuestions: readonly Question<Platform>[] = [
  {
    row: 'LB-1',
    field: 'spec.ingress.address',
    question: 'Where does the address of the ingress come from: fixed addresses, a pool, or the cloud?',
    answered: (p) => hasSource(p.spec.ingress.address),
  },
  {
    row: 'DOC-1',
    field: 'spec.release',
    question: 'Which release is installed? Allow-list and provider requirements differ from release to release.',
    answered: (p) => set(p.spec.release),
  },
  {
    row: 'XPS-2',
    field: 'spec.exposeStrategy',
    question: 'How do control planes leave their seed: NodePort, LoadBalancer or Tunneling?',
    answered: (p, { seeds }) => set(p.spec.exposeStrategy) || seeds.every((seed) => set(seed.spec.exposeStrategy)),
  },
  {
    row: 'CRT-8',
    field: 'spec.certificates',
    question:
      'Who issues the certificates: ACME (HTTP-01 or DNS-01), another issuer, a supplied file, an own CA, or self-signed?',
    answered: (p) => set(p.spec.certificates),
  },
  {
    row: 'AUT-1',
    field: 'spec.authentication',
    question: 'Who tells who a user is: Dex with a connector, or an own identity provider?',
    answered: (p) => set(p.spec.authentication),
  },
  {
    row: 'INF-9',
    field: 'spec.dns.provider',
    question: 'Who can change the DNS zone: a provider with an API, a key for updates, or a person to ask?',
    answered: (p) => set(p.spec.dns?.provider) || set(p.spec.dns?.update) || set(p.spec.access?.contact),
  },
  {
    row: 'ACC-6',
    field: 'spec.dns.servers',
    question: 'Which DNS servers do the platform and its nodes ask?',
    answered: (p) => set(p.spec.dns?.servers),
  },
  {
    row: 'PRX-1',
    field: 'spec.egress.mode',
    question: 'How are images and binaries downloaded: directly, through a proxy, or from a private registry?',
    answered: (p) => set(p.spec.egress?.mode),
  },
  {
    row: 'CFG-1',
    field: 'spec.configRepository',
    question: 'In which git repository is the configuration kept, readable for engineers and customer?',
    answered: (p) => set(p.spec.configRepository),
  },
  {
    row: 'CFG-2',
    field: 'spec.configRepository.keyStore',
    question: 'Where are secrets kept: Vault, git-crypt, or another key store?',
    answered: (p) => set(p.spec.configRepository?.keyStore),
  },
  {
    row: 'ACC-1',
    field: 'spec.access.installer',
    question: 'From which host is the platform installed?',
    answered: (p) => set(p.spec.access?.installer),
  },
];

const announced = ['metallb', 'cilium'];
const choosesMode = (lb: Seed['spec']['loadBalancer']): boolean =>
  lb !== undefined && (announced.includes(lb.type) || lb.announcer !== undefined);

const loadBalancerQuestions: readonly Question<Seed | Datacenter>[] = [
  {
    row: 'LB-3',
    field: 'spec.loadBalancer',
    question:
      'What implements Services of type LoadBalancer here: the cloud, KubeLB, MetalLB, Cilium, F5 or something else?',
    answered: ({ spec }) => set(spec.loadBalancer),
  },
  {
    row: 'BGP-1',
    field: 'spec.loadBalancer.mode',
    question: 'Are virtual IPs announced by BGP (recommended) or by ARP in the layer-2 segment (L2)?',
    answered: ({ spec }) => !choosesMode(spec.loadBalancer) || set(spec.loadBalancer?.mode),
  },
];

const seedQuestions: readonly Question<Seed>[] = [
  {
    row: 'LB-2',
    field: 'spec.gateway.address',
    question: 'Where does the address of the gateway come from: fixed addresses, a pool, or the cloud?',
    answered: (seed) => hasSource(seed.spec.gateway.address),
  },
  ...loadBalancerQuestions,
  {
    row: 'SED-1',
    field: 'spec.provisioning',
    question: 'What builds the seed cluster: KubeOne, a managed service, or something else?',
    answered: (seed) => set(seed.spec.provisioning),
  },
  {
    row: 'STO-1',
    field: 'spec.storage.fast',
    question: 'Which storage class becomes kubermatic-fast (etcd, metrics, logs)?',
    answered: (seed) => set(seed.spec.storage?.fast),
  },
  {
    row: 'STO-8',
    field: 'spec.backup',
    question: 'Where do etcd snapshots go: an S3 bucket, or MinIO in the seed?',
    answered: (seed) => set(seed.spec.backup),
  },
  {
    row: 'MLA-1',
    field: 'spec.monitoring',
    question: 'Are user clusters monitored and logged, and how much do they produce?',
    answered: (seed) => set(seed.spec.monitoring),
  },
];

const datacenterQuestions: readonly Question<Datacenter>[] = [
  ...loadBalancerQuestions,
  {
    row: 'INT-1',
    field: 'spec.integration',
    question: 'Are there only workers here (I), or does the seed stand here too (II)?',
    answered: (datacenter) => set(datacenter.spec.integration),
  },
  {
    row: 'NET-1',
    field: 'spec.nodes.dhcp',
    question: 'Does DHCP serve the worker network, and which addresses does it hand out?',
    answered: (datacenter) => set(datacenter.spec.nodes.dhcp),
  },
];

/** What is still open, platform first. A decision recorded for a row in `spec.decisions` closes the row. */
export function openDecisions(documents: Documents): OpenDecision[] {
  const { platform, seeds, datacenters } = documents;
  const recorded = new Set(platform.spec.decisions?.map((decision) => decision.row));
  const ask = <R extends Platform | Seed | Datacenter>(
    questions: readonly Question<R>[],
    resource: R,
  ): OpenDecision[] =>
    questions
      .filter((q) => !recorded.has(q.row) && !q.answered(resource, documents))
      .map(({ row, question, field }) => ({
        row,
        question,
        field,
        resource: `${resource.kind}/${resource.metadata.name}`,
      }));
  return [
    ...ask(platformQuestions, platform),
    ...seeds.flatMap((seed) => ask(seedQuestions, seed)),
    ...datacenters.flatMap((datacenter) => ask(datacenterQuestions, datacenter)),
  ];
}
