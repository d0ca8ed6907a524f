import { IconPlugConnected } from '@tabler/icons-react';
import { useApi } from '../../api/queries.ts';
import type { Connections } from '../../api/types.ts';
import { type Column, DataTable } from '../../components/data-table/data-table.tsx';
import { bytes, span } from '../../components/format.ts';
import { Loaded, Notice } from '../../components/notices.tsx';

type Connection = Connections['items'][number];

const columns: readonly Column<Connection>[] = [
  { title: 'Client', cell: ({ client }) => client },
  { title: 'With', cell: ({ target }) => (target === 'apiServer' ? 'API server' : 'Konnectivity server') },
  { title: 'Came in by', cell: ({ listener }) => listener },
  { title: 'Open for', cell: ({ ageMs }) => span(ageMs) },
  { title: 'From client', cell: ({ bytesIn }) => <span className="figures">{bytes(bytesIn)}</span> },
  { title: 'To client', cell: ({ bytesOut }) => <span className="figures">{bytes(bytesOut)}</span> },
];

export function ConnectionsTab({ name }: { name: string }) {
  const path = `/clusters/${encodeURIComponent(name)}/connections`;
  const query = useApi<Connections>(path, {}, { refetchInterval: 2_000 });
  return (
    <Loaded query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <Notice icon={IconPlugConnected} title="Nobody is connected now">
            Connections through the gateway are listed here while they are open; try kubectl with a kubeconfig from
            above.
          </Notice>
        ) : (
          <DataTable
            label="Live connections"
            columns={columns}
            rows={items}
            keyOf={({ client, target, listener }) => `${client} ${target} ${listener}`}
          />
        )
      }
    </Loaded>
  );
}
