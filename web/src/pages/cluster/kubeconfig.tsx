import { Button, Popover, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { IconDownload, IconKey } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/client.ts';
import { useHasRole } from '../../api/queries.ts';
import { Copyable } from '../../components/copyable.tsx';
import { saveFile } from '../../components/download/save-file.ts';
import { asTyped, ofPlatform } from '../../components/format.ts';
import { ProblemAlert } from '../../components/notices.tsx';

const lifetimes = [
  { value: '1h', label: '1 hour' },
  { value: '8h', label: '8 hours' },
  { value: '24h', label: '1 day' },
  { value: '720h', label: '30 days' },
];

/** A credential with a role and an end, as a file. */
export function Kubeconfig({ name }: { name: string }) {
  const isAdmin = useHasRole('admin');
  const [role, setRole] = useState('viewer');
  const [ttl, setTtl] = useState('8h');
  const download = useMutation({
    mutationFn: () => get<string>(`/clusters/${encodeURIComponent(name)}/kubeconfig`, { role, ttl }),
    onSuccess: (text) => saveFile(`${name}-${role}.kubeconfig`, new Blob([text], { type: 'application/yaml' })),
  });
  return (
    <Popover width={320} position="bottom-end" shadow="md" withinPortal trapFocus>
      <Popover.Target>
        <Button leftSection={<IconKey size={16} />}>Kubeconfig</Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <SegmentedControl
            aria-label="Role"
            value={role}
            onChange={setRole}
            data={[
              { value: 'viewer', label: 'Viewer' },
              { value: 'admin', label: 'Admin', disabled: !isAdmin },
            ]}
          />
          {!isAdmin && (
            <Text fz="xs" c="dimmed">
              Only the role admin may have an admin's kubeconfig.
            </Text>
          )}
          <Select
            label="Good for"
            data={lifetimes}
            value={ttl}
            onChange={(value) => setTtl(value ?? '8h')}
            allowDeselect={false}
          />
          {download.error !== null && <ProblemAlert error={download.error} />}
          <Button
            leftSection={<IconDownload size={16} />}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            Download
          </Button>
          <Text fz="xs" c="dimmed" component="div">
            In a terminal:{' '}
            <Copyable
              text={asTyped(`causeway kubeconfig ${name} --role ${role} --ttl ${ttl}${ofPlatform('--dir')}`)}
              what="the command"
            />
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
