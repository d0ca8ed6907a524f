import { Button } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useMay } from '../../api/use-api.ts';

/** To the form with what its manifest says. */
export function EditCluster({ name }: { name: string }) {
  if (!useMay('operator')) return null;
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
