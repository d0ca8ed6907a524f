import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../api/client.ts';
import { keys } from '../api/queries.ts';

interface RevokeProps {
  /** Of the API, without its base. */
  readonly path: string;
  /** For those who do not see the row. */
  readonly what: string;
  readonly onRevoked?: () => void;
}

/** The second click revokes: what is revoked does not come back. */
export function Revoke({ path, what, onRevoked }: RevokeProps) {
  const [isSure, setSure] = useState(false);
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => send('DELETE', path),
    onSuccess: onRevoked,
    onSettled: () => client.invalidateQueries({ queryKey: keys.view }),
  });
  return (
    <Button
      size="compact-sm"
      variant={isSure ? 'filled' : 'default'}
      color={isSure ? 'red' : undefined}
      aria-label={`${isSure ? 'Really revoke' : 'Revoke'} ${what}`}
      loading={revoke.isPending}
      onBlur={() => setSure(false)}
      onClick={() => (isSure ? revoke.mutate() : setSure(true))}
    >
      {revoke.isError ? 'Failed' : isSure ? 'Really?' : 'Revoke'}
    </Button>
  );
}
