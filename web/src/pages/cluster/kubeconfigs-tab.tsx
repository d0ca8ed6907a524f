import { IconKey } from '@tabler/icons-react';
import { useApi } from '../../api/queries.ts';
import type { IssuedKubeconfigs } from '../../api/types.ts';
import { type Column, DataTable } from '../../components/data-table/data-table.tsx';
import { ago, span } from '../../components/format.ts';
import { Loaded, Notice } from '../../components/notices.tsx';
import { Revoke } from '../../components/revoke.tsx';

type Issued = IssuedKubeconfigs['items'][number];

const columnsOf = (path: string): readonly Column<Issued>[] => [
  { title: 'Person', cell: ({ person }) => person },
  { title: 'Role', cell: ({ role }) => role },
  { title: 'Made', cell: ({ createdAt }) => ago(createdAt, Date.now()) },
  { title: 'Ends in', cell: ({ endsAt }) => span(Math.max(0, endsAt - Date.now())) },
  {
    title: 'Revoke',
    cell: ({ id, person }) => <Revoke path={`${path}/${id}`} what={`a kubeconfig of ${person}`} />,
  },
];

/** Who has a kubeconfig that has not ended; the API shows everybody their own, and all of them to administrators. */
export function KubeconfigsTab({ name }: { name: string }) {
  const path = `/clusters/${encodeURIComponent(name)}/kubeconfigs`;
  const query = useApi<IssuedKubeconfigs>(path, {}, { refetchInterval: 10_000, placeholderData: undefined });
  return (
    <Loaded query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <Notice icon={IconKey} title="Nobody has a kubeconfig now">
            Those that were given away are listed here until they end, and can be revoked.
          </Notice>
        ) : (
          <DataTable label="Kubeconfigs" columns={columnsOf(path)} rows={items} keyOf={({ id }) => id} />
        )
      }
    </Loaded>
  );
}

export const NotOurs = () => (
  <Notice icon={IconKey} title="Kubeconfigs come from elsewhere">
    Something else runs this control plane, and gives out its credentials.
  </Notice>
);
