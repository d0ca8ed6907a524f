import { Button, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconDownload, IconFileText } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { download } from '../../api/client.ts';
import { useApi } from '../../api/queries.ts';
import type { Artefacts } from '../../api/types.ts';
import { bytes, sentence } from '../format.ts';
import { saveFile } from './save-file.ts';

type Artefact = Artefacts['items'][number];

/** Rendered files to send to others, in every format there is. Without names: all of them. */
export function DownloadMenu({ names, label = 'Download' }: { names?: readonly string[]; label?: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Menu position="bottom-end" shadow="md" width={320} withinPortal opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />} rightSection={<IconChevronDown size={14} />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {isOpen && <Offered names={names} />}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Asked for when somebody looks: rendering everything takes a while where there is much. */
function Offered({ names }: { names: readonly string[] | undefined }) {
  const query = useApi<Artefacts>('/artefacts');
  if (query.error !== null) return <Menu.Label>{sentence(query.error.message)}</Menu.Label>;
  if (query.data === undefined) return <Menu.Label>Rendering…</Menu.Label>;
  const offered = query.data.items.filter(
    ({ name, files }) => files.length > 0 && (names === undefined || names.includes(name)),
  );
  if (offered.length === 0) return <Menu.Label>There is nothing to hand out here.</Menu.Label>;
  return offered.map((artefact) => <FilesOf key={artefact.name} artefact={artefact} />);
}

const FilesOf = ({ artefact: { name, title, files } }: { artefact: Artefact }) => (
  <>
    <Menu.Label>{title}</Menu.Label>
    {files.map((file) => (
      <FileOf key={file.path} artefact={name} {...file} />
    ))}
  </>
);

/** Fetched and then kept: a link could not say who asks. */
function FileOf({ artefact, path, bytes: size }: { artefact: string } & Artefact['files'][number]) {
  const fetching = useMutation({
    mutationFn: () => download(`/artefacts/${artefact}/${encodeURIComponent(path)}`),
    onSuccess: (content) => saveFile(path.split('/').at(-1) ?? path, content),
  });
  return (
    <>
      <Menu.Item
        closeMenuOnClick={false}
        disabled={fetching.isPending}
        onClick={() => fetching.mutate()}
        leftSection={<IconFileText size={16} />}
        rightSection={
          <Text fz="xs" c="dimmed" className="figures">
            {bytes(size)}
          </Text>
        }
      >
        <Text span fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {path}
        </Text>
      </Menu.Item>
      {fetching.error !== null && <Menu.Label c="red">{sentence(fetching.error.message)}</Menu.Label>}
    </>
  );
}
