import { Stack } from '@mantine/core';
import type { ApiFinding } from '../api/types.ts';
import { FindingCard, keyOf } from '../pages/findings/finding-card.tsx';

/** What is wrong, where, and what would be right; nothing where all is fine. */
export const FindingList = ({ findings }: { findings: readonly ApiFinding[] }) =>
  findings.length === 0 ? null : (
    <Stack gap="xs">
      {findings.map((finding) => (
        <FindingCard key={keyOf(finding)} finding={finding} />
      ))}
    </Stack>
  );
