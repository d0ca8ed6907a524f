import { Button, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconDownload, IconFileText } from '@tabler/icons-react';
import type { Artefacts } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { bytes } from '../units.ts';

type Artefact = Artefacts['items'][number];

/** Rendered files to send to others, in every format there is. Without names: all of them. */
export function DownloadMenu({ names, label = 'Download' }: { names?: readonly string[]; label?: string }) {
  const all = useApi<Artefacts>('/artefacts').data?.items ?? [];
  const offered = all.filter(({ name, files }) => files.length > 0 && (names === undefined || names.includes(name)));
  return (
    <Menu position="bottom-end" shadow="md" width={320} withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          rightSection={<IconChevronDown size={14} />}
          disabled={offered.length === 0}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {offered.map((artefact) => (
          <FilesOf key={artefact.name} artefact={artefact} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const FilesOf = ({ artefact: { title, files } }: { artefact: Artefact }) => (
  <>
    <Menu.Label>{title}</Menu.Label>
    {files.map(({ path, url, bytes: size }) => (
      <Menu.Item
        key={path}
        component="a"
        href={url}
        download={path.split('/').at(-1)}
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
    ))}
  </>
);
