import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import type { DryRun, ResourceBody } from '../../api/types.ts';

export interface DryRunState {
  /** Undefined until there is enough to ask. */
  readonly answer: DryRun | undefined;
  readonly error: Error | null;
  /** The answer is about what was typed a moment ago. */
  readonly isOld: boolean;
}

/** How long the fingers rest before the platform is asked. */
const restMs = 250;

/** What the platform would do with this document, if there is enough of it. Nothing is written. */
export function useDryRun(resource: ResourceBody | undefined, isNew = false): DryRunState {
  const text = resource === undefined ? '' : JSON.stringify(resource);
  const [settled] = useDebouncedValue(text, restMs);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['dry-run', settled, isNew],
    queryFn: ({ signal }) => planOf(settled, isNew, signal),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isOld = text !== settled || isPlaceholderData;
  return { answer: text === '' ? undefined : data, error, isOld };
}

async function planOf(text: string, isNew: boolean, signal: AbortSignal): Promise<DryRun> {
  const body = JSON.parse(text) as { metadata: { name: string } };
  const path = `/resources/Cluster/${body.metadata.name}`;
  return (await send<DryRun>('PUT', path, { body, query: { dryRun: true }, isNew, signal })).body;
}
