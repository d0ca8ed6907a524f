// Package repositories, by operating system. Flatcar needs none: it is updated as a whole.
import type { Download, Facts, OperatingSystem } from '../download.ts';
import { awsDomainOf, awsRegionsOf } from './providers.ts';

const web = [80, 443] as const;
const nodes = ['workers', 'seed', 'master'] as const;

const runs =
  (...names: readonly OperatingSystem[]) =>
  (facts: Facts): boolean =>
    facts.operatingSystems.some((system) => names.includes(system));

const docker = (system: OperatingSystem, path: string, requirement: string): Download => ({
  host: 'download.docker.com',
  paths: [path],
  component: `containerd (${system})`,
  reason: 'containerd is installed from the packages of Docker.',
  requirement,
  at: nodes,
  when: runs(system),
});

const yum = (system: OperatingSystem, title: string, host: Download['host']): Download => ({
  host,
  component: title,
  reason: 'Packages of the operating system.',
  requirement: 'EGR-8',
  at: nodes,
  when: runs(system),
});

const ubuntu: readonly Download[] = [
  {
    host: ['archive.ubuntu.com', 'security.ubuntu.com'],
    ports: web,
    paths: ['/ubuntu/'],
    component: 'Ubuntu',
    reason: 'Packages of the operating system.',
    requirement: 'EGR-10',
    at: nodes,
    when: runs('ubuntu'),
  },
  {
    host: 'azure.archive.ubuntu.com',
    ports: web,
    paths: ['/ubuntu/'],
    component: 'Ubuntu',
    reason: 'Machines in Azure are set up to use the mirror there.',
    requirement: 'EGR-10',
    at: ['workers'],
    when: (facts) => runs('ubuntu')(facts) && facts.provider?.azure !== undefined,
  },
  docker('ubuntu', '/linux/ubuntu', 'EGR-10'),
];

const retired: readonly Download[] = [
  {
    ...yum('centos-7', 'CentOS 7', ['mirrorlist.centos.org', 'mirror.centos.org']),
    ports: web,
    reason: 'CentOS 7 is no longer maintained; its mirrors are gone.',
    retired: ['vault.centos.org'],
  },
  {
    host: 'public.update.core-os.net',
    component: 'Container Linux',
    reason: 'Container Linux is no longer maintained; Flatcar continues it.',
    requirement: 'EGR-9',
    at: nodes,
    when: runs('container-linux'),
    retired: ['public.update.flatcar-linux.net'],
  },
];

export const operatingSystems: readonly Download[] = [
  ...ubuntu,
  yum('rhel', 'Red Hat Enterprise Linux', ['cdn.redhat.com', 'subscription.rhsm.redhat.com']),
  docker('rhel', '/linux/rhel', 'EGR-8'),
  yum('rocky', 'Rocky Linux', ['dl.rockylinux.org', 'mirrors.rockylinux.org']),
  docker('rocky', '/linux/centos', 'EGR-8'),
  yum('amazon-linux', 'Amazon Linux', 'cdn.amazonlinux.com'),
  yum('amazon-linux', 'Amazon Linux', (facts) =>
    awsRegionsOf(facts).map((region) => `amazonlinux-2-repos-${region}.s3.dualstack.${region}.${awsDomainOf(facts)}`),
  ),
  { ...yum('centos-7', 'CentOS 7', 'vault.centos.org'), ports: web },
  docker('centos-7', '/linux/centos', 'EGR-8'),
  ...retired,
];
