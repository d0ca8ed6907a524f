import { Box, Paper, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import styles from './data-table.module.css';
import { useUrlState } from './url-state.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Of CSS, as in 30%. */
  readonly width?: string;
}

interface DataTableProps<Row> {
  /** What it lists, for those who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Shown below a row that is opened. */
  readonly details?: (row: Row) => ReactNode;
}

/** A table where there is room, a stack of cards on a phone. */
export function DataTable<Row>({ label, columns, rows, keyOf, details }: DataTableProps<Row>) {
  const url = useUrlState();
  const opened = url.get('open');
  return (
    <Paper withBorder className={styles.frame}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {details !== undefined && (
              <th className={styles.opener}>
                <span className={styles.unseen}>Details</span>
              </th>
            )}
            {columns.map(({ title, width }) => (
              <th key={title} style={{ width }}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = keyOf(row);
            const isOpen = details !== undefined && opened === key;
            const toggle = (): void => url.set({ open: isOpen ? undefined : key }, { replace: true });
            return (
              <Fragment key={key}>
                <tr data-open={isOpen || undefined}>
                  {details !== undefined && <Opener isOpen={isOpen} onClick={toggle} />}
                  {columns.map(({ title, cell }) => (
                    <td key={title} data-label={title}>
                      <Box miw={0}>{cell(row)}</Box>
                    </td>
                  ))}
                </tr>
                {isOpen && (
                  <tr className={styles.details}>
                    <td colSpan={columns.length + 1}>{details(row)}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </Paper>
  );
}

const Opener = ({ isOpen, onClick }: { isOpen: boolean; onClick: () => void }) => (
  <td className={styles.opener}>
    <UnstyledButton className={styles.toggle} aria-expanded={isOpen} aria-label="Details" onClick={onClick}>
      <IconChevronRight size={16} aria-hidden className={styles.chevron} />
    </UnstyledButton>
  </td>
);
