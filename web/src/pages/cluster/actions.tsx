import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ask, send } from '../../api/client.ts';
import { keys, useHasRole } from '../../api/queries.ts';
import { ProblemAlert } from '../../components/notices.tsx';

/** To the form with what its manifest says. */
export function EditCluster({ name }: { name: string }) {
  if (!useHasRole('operator')) return null;
  return (
    <Button
      component={Link}
      href={`/edit-cluster/${encodeURIComponent(name)}`}
      variant="default"
      leftSection={<IconPencil size={16} />}
    >
      Edit
    </Button>
  );
}

interface DeleteClusterProps {
  readonly name: string;
  /** Told when it is about to go: nobody should ask for it any more. False: it stays after all. */
  readonly onLeaving: (isLeaving: boolean) => void;
}

/** Deleting takes all data of the cluster along, so it asks for the name to be typed. */
export function DeleteCluster({ name, onLeaving }: DeleteClusterProps) {
  const [opened, { open, close }] = useDisclosure();
  if (!useHasRole('admin')) return null;
  return (
    <>
      <Button variant="default" c="var(--cw-bad)" leftSection={<IconTrash size={16} />} onClick={open}>
        Delete
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={`Delete the cluster ${name}?`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Confirm name={name} onLeaving={onLeaving} onCancel={close} />
      </Modal>
    </>
  );
}

function Confirm({ name, onLeaving, onCancel }: DeleteClusterProps & { onCancel: () => void }) {
  const [typed, setTyped] = useState('');
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => removeCluster(name),
    onMutate: () => onLeaving(true),
    onError: () => onLeaving(false),
    onSuccess: async () => {
      navigate('/clusters');
      await client.invalidateQueries({ queryKey: keys.view });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (typed === name) remove.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text fz="sm">
          Its API server, its data and its certificates are removed, and its manifest is taken out of the directory. Its
          backups stay. Other clusters do not notice.
        </Text>
        <TextInput
          label={`Type ${name} to go on`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        {remove.error !== null && <ProblemAlert error={remove.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button color="red" type="submit" disabled={typed !== name} loading={remove.isPending}>
            Delete
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The API deletes nothing that it was not told the state of. */
async function removeCluster(name: string): Promise<void> {
  const path = `/resources/Cluster/${encodeURIComponent(name)}`;
  const { etag } = await ask(path);
  await send('DELETE', path, etag === null ? {} : { ifMatch: etag });
}
