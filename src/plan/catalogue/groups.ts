// Groups of the requirements catalogue. What holds for all rows of a group is said here, and not read out of their ids.
import type { ProviderName } from '../../model/schema/index.ts';

export interface RowGroup {
  /** What its ids begin with. */
  readonly letters: string;
  /** What the letters stand for. */
  readonly title: string;
  /** Chapter of the setup checklist; neighbouring groups may share one. */
  readonly chapter: string;
  /** Set where its rows are about the interface of one provider, which is a place with flows of its own. */
  readonly provider?: ProviderName;
}

const group = (letters: string, title: string, chapter: string, provider?: ProviderName): RowGroup => ({
  letters,
  title,
  chapter,
  ...(provider === undefined ? {} : { provider }),
});

const access = 'Access to the target environment';
const balancing = 'Load balancing';
const reached = 'How control planes are reached';
const internet = 'Internet access';

/** In the order of the catalogue, which is the order of the chapters. */
export const groups = {
  documentation: group('DOC', 'documentation', 'Documentation'),
  infrastructure: group('INF', 'infrastructure', 'Infrastructure'),
  installer: group('INS', 'installer', 'Installer'),
  configuration: group('CFG', 'configuration repository', 'Configuration repository and secrets'),
  access: group('ACC', 'access of the installer', access),
  tools: group('TOL', 'helper tools', access),
  loadBalancing: group('LB', 'load balancing', balancing),
  layer2: group('L2', 'load balancing by ARP', balancing),
  bgp: group('BGP', 'load balancing by BGP', balancing),
  nodeNetworks: group('NET', 'networks of the nodes', 'DHCP and node networks'),
  ports: group('PRT', 'ports', 'Ports'),
  strategies: group('XPS', 'expose strategies', reached),
  workers: group('WRK', 'workers', reached),
  apiServers: group('API', 'API servers of clusters', reached),
  konnectivity: group('KON', 'konnectivity', reached),
  dns: group('DNS', 'DNS', 'DNS'),
  certificates: group('CRT', 'certificates', 'Certificates'),
  authentication: group('AUT', 'authentication', 'Authentication'),
  proxy: group('PRX', 'corporate proxy', internet),
  egress: group('EGR', 'egress, the allow-list', internet),
  offline: group('OFF', 'offline mode', internet),
  seeds: group('SED', 'seed provisioning', 'Seed clusters'),
  storage: group('STO', 'storage', 'Storage and backup'),
  etcd: group('ETC', 'etcd performance', 'Performance of etcd'),
  monitoring: group('MLA', 'monitoring, logging, alerting', 'Monitoring, logging and alerting'),
  integration: group(
    'INT',
    'integration of a location: workers only (I) or with a seed of its own (II)',
    'Integration of locations',
  ),
  azure: group('AZ', 'Azure', 'Azure', 'azure'),
  vsphere: group('VS', 'vSphere', 'vSphere', 'vsphere'),
  openstack: group('OS', 'OpenStack', 'OpenStack', 'openstack'),
  aws: group('AWS', 'AWS', 'AWS', 'aws'),
} as const satisfies Readonly<Record<string, RowGroup>>;
