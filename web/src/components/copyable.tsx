import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Name } from './data-table/value-list.tsx';

/** Text that one wants to paste elsewhere: an address, a command. */
export const Copyable = ({ text, what = 'this' }: { text: string; what?: string }) => (
  <Group gap={4} wrap="nowrap" display="inline-flex" maw="100%">
    <Code style={{ overflowWrap: 'anywhere' }}>
      <Name text={text} />
    </Code>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy'}>
          <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={`Copy ${what}`}>
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  </Group>
);
