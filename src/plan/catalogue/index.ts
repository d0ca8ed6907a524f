// The requirements catalogue: every row, in the order of its sections.
import type { RowGroup } from './groups.ts';
import type { Row } from './row.ts';
import { authentication } from './rows/authentication.ts';
import { awsRows } from './rows/aws.ts';
import { azureRows } from './rows/azure.ts';
import { baseline } from './rows/baseline.ts';
import { certificates } from './rows/certificates.ts';
import { dns } from './rows/dns.ts';
import { egress } from './rows/egress.ts';
import { exposing } from './rows/exposing.ts';
import { installation } from './rows/installation.ts';
import { integration } from './rows/integration.ts';
import { loadBalancing } from './rows/load-balancing.ts';
import { nodeNetwork } from './rows/node-network.ts';
import { openstackRows } from './rows/openstack.ts';
import { ports } from './rows/ports.ts';
import { storage } from './rows/storage.ts';
import { vsphereRows } from './rows/vsphere.ts';

export { groups, type RowGroup } from './groups.ts';
export { artefactNames, type Row, type RowPromise } from './row.ts';

export const catalogue: readonly Row[] = [
  ...baseline,
  ...installation,
  ...loadBalancing,
  ...nodeNetwork,
  ...ports,
  ...exposing,
  ...dns,
  ...certificates,
  ...authentication,
  ...egress,
  ...storage,
  ...integration,
  ...azureRows,
  ...vsphereRows,
  ...openstackRows,
  ...awsRows,
];

export const rowById: ReadonlyMap<string, Row> = new Map(catalogue.map((row) => [row.id, row]));
/** Nothing for an id that the catalogue does not have. */
export const groupOf = (id: string): RowGroup | undefined => rowById.get(id)?.group;

/**
 * Rows that a program of ours checks on site or at the provider. Whoever writes such a check adds its rows here; of all
 * others nothing may claim that they are checked.
 */
export const checkedRows: ReadonlySet<string> = new Set();
