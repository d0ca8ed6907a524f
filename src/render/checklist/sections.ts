// The chapters of the checklist, by the letters of the catalogue rows they hold.

export interface Section {
  readonly title: string;
  readonly rows: readonly string[];
}

export const sections: readonly Section[] = [
  { title: 'Documentation', rows: ['DOC'] },
  { title: 'Infrastructure', rows: ['INF'] },
  { title: 'Installer', rows: ['INS'] },
  { title: 'Configuration repository and secrets', rows: ['CFG'] },
  { title: 'Access to the target environment', rows: ['ACC', 'TOL'] },
  { title: 'Load balancing', rows: ['LB', 'L2', 'BGP'] },
  { title: 'DHCP and node networks', rows: ['NET'] },
  { title: 'Ports', rows: ['PRT'] },
  { title: 'How control planes are reached', rows: ['XPS', 'WRK', 'API', 'KON'] },
  { title: 'DNS', rows: ['DNS'] },
  { title: 'Certificates', rows: ['CRT'] },
  { title: 'Authentication', rows: ['AUT'] },
  { title: 'Internet access', rows: ['PRX', 'EGR', 'OFF'] },
  { title: 'Seed clusters', rows: ['SED'] },
  { title: 'Storage and backup', rows: ['STO'] },
  { title: 'Performance of etcd', rows: ['ETC'] },
  { title: 'Monitoring, logging and alerting', rows: ['MLA'] },
  { title: 'Integration of locations', rows: ['INT'] },
  { title: 'Azure', rows: ['AZ'] },
  { title: 'vSphere', rows: ['VS'] },
  { title: 'OpenStack', rows: ['OS'] },
  { title: 'AWS', rows: ['AWS'] },
];

const lettersOf = (row: string): string => row.slice(0, row.lastIndexOf('-'));
const known = new Set(sections.flatMap((section) => section.rows));

export const belongsTo = (row: string, section: Section): boolean => section.rows.includes(lettersOf(row));
/** Rows of chapters that are not in the table must not get lost. */
export const hasNoSection = (row: string): boolean => !known.has(lettersOf(row));
