import type { CodeInfo } from '../finding.ts';

/** The installation itself: versions, decisions, high availability, storage, providers. */
export const installationCodes = {
  'CW-VERSION-SKEW': {
    severity: 'error',
    title: 'The kubelets do not fit the control plane',
    explanation: 'A kubelet may be up to three minor versions older than the API server, and never newer.',
    fix: 'Raise nodes.kubeletVersion, or lower it to the version of the control plane.',
    rows: ['API-2'],
  },
  'CW-VERSION-UNSUPPORTED': {
    severity: 'warning',
    title: 'The Kubernetes version is not supported any more, or not yet',
    explanation:
      'Versions out of support get no fixes, and the allow-list for a version that is not known yet may lack hosts and images.',
    fix: 'Choose a supported version.',
    rows: ['EGR-1', 'DOC-1'],
  },
  'CW-DECISION-OPEN': {
    severity: 'warning',
    title: 'A decision is not taken',
    explanation: 'The setup checklist asks for it, and what other teams are asked for depends on the answer.',
    fix: 'Set the field, or record the decision with owner and reason in spec.decisions of the platform.',
    rows: ['DOC-2', 'LB-3', 'NET-2'],
  },
  'CW-EDITION-SEEDS': {
    severity: 'error',
    title: 'The Community edition has one seed',
    explanation: 'More than one seed needs the Enterprise edition.',
    fix: 'Set edition to EE, or use one seed.',
    rows: ['INS-3'],
  },
  'CW-PULL-SECRET': {
    severity: 'error',
    title: 'The Enterprise edition needs a pull secret',
    explanation: 'Its images are private; without the secret the operator never starts.',
    fix: 'Set pullSecret to a reference to the secret.',
    rows: ['INS-2'],
  },
  'CW-HA': {
    severity: 'error',
    title: 'The control plane of a management cluster is not highly available',
    explanation:
      'etcd keeps its quorum after the loss of one member with three or more, and an even number adds a machine but no tolerance. Clients need a load balancer that survives the loss too.',
    fix: 'Use three or five control-plane nodes and a load balancer in front of their API.',
    rows: ['INF-5', 'SED-1'],
  },
  'CW-ZONES': {
    severity: 'warning',
    title: 'All nodes stand in one zone',
    explanation: 'The loss of the zone is the loss of every control plane that the cluster hosts.',
    fix: 'Spread the nodes over two or, better, three zones.',
    rows: ['INF-3'],
  },
  'CW-CATALOGUE-RELEASE': {
    severity: 'warning',
    title: 'The catalogue was written for another release',
    explanation: 'Allow-list and provider requirements change with each release.',
    fix: 'Install the release of the catalogue, or compare the allow-list with the release notes.',
    rows: ['DOC-1'],
  },
  'CW-TOOL-OUTDATED': {
    severity: 'warning',
    title: 'An outdated tool manages permissions',
    explanation: 'The terraform module for vSphere permissions is marked outdated and misses privileges.',
    fix: 'Create the roles from the current list and set permissionsByTerraform to false.',
    rows: ['VS-3', 'VS-2'],
  },
  'CW-INTEGRATION': {
    severity: 'warning',
    title: 'The integration option does not match the seed',
    explanation:
      'Option I has only workers at the location. Option II has a seed there, a DNS wildcard for it, and traffic that stays inside.',
    fix: 'Correct spec.integration, or the seed of the datacenter.',
    rows: ['INT-1', 'INT-5', 'INT-6', 'INT-7', 'INT-8', 'INT-9'],
  },
  'CW-PROVIDER': {
    severity: 'error',
    title: 'The provider settings contradict the rest',
    explanation:
      'The same fact is written in the provider block and in the network of the nodes. Where both differ, machines start in a network that nothing else knows.',
    fix: 'Make both say the same.',
    rows: ['OS-6', 'OS-8', 'OS-10', 'AZ-2', 'AZ-3', 'AZ-7', 'AWS-5'],
  },
  'CW-STORAGE': {
    severity: 'warning',
    title: 'The fast storage class is not fast',
    explanation:
      'Every user-cluster etcd waits for its disk. On spinning disks API servers become slow and lose their leader.',
    fix: 'Use an SSD tier for the class, or measure it and record that as a decision on STO-5.',
    rows: ['STO-5', 'STO-6', 'STO-2'],
  },
  'CW-STORAGE-CAPACITY': {
    severity: 'error',
    title: 'The storage class is too small for what is planned',
    explanation:
      'etcd takes three volumes of 5 GiB per cluster, user-cluster monitoring takes 138 GiB before any retention.',
    fix: 'Raise the capacity, or plan for less.',
    rows: ['STO-3', 'STO-4', 'MLA-2', 'STO-9'],
  },
  'CW-BACKUP': {
    severity: 'warning',
    title: 'Backups share the fate of what they protect',
    explanation: 'Snapshots on the class that holds etcd are lost together with it, and use expensive space.',
    fix: 'Use a storage class of another backend, or S3.',
    rows: ['STO-7', 'STO-9'],
  },
  'CW-MLA-ESTIMATE': {
    severity: 'warning',
    title: 'User-cluster monitoring has no estimate',
    explanation: 'Without series, log volume and retention the default sizes are assumed, which do not fit production.',
    fix: 'Set activeSeries, logsGiBPerDay and retentionDays.',
    rows: ['MLA-1'],
  },
  'CW-AUTH-STATIC': {
    severity: 'error',
    title: 'Static users cannot log in',
    explanation: 'Dex looks static users up in its password database, which is off.',
    fix: 'Set authentication.dex.passwordDB to true, or remove the static users.',
    rows: ['AUT-3'],
  },
  'CW-OS-RETIRED': {
    severity: 'warning',
    title: 'The operating system is out of support',
    explanation: 'Its package repositories are gone or frozen, so new nodes do not start and old ones get no fixes.',
    fix: 'Use Ubuntu, Flatcar, RHEL, Rocky Linux or Amazon Linux.',
    rows: ['EGR-8', 'EGR-9'],
  },
} as const satisfies Record<string, CodeInfo>;
