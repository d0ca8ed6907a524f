// Long lists inside a cell: the first ones, and how many more there are.
import { Anchor, Code, Group, Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import { Link } from 'wouter';

interface ValueListProps {
  readonly values: readonly string[];
  readonly shown?: number;
  /** Where there is none. */
  readonly none?: string;
}

const More = ({ hidden }: { hidden: number }) =>
  hidden > 0 && (
    <Text span fz="xs" c="dimmed">
      and {hidden.toLocaleString('en')} more
    </Text>
  );

/** A name or address; where it does not fit on a line, it breaks between its parts. */
export const Name = ({ text }: { text: string }) => (
  <Text span inherit ff="monospace">
    {text.split(/(?<=[./:])(?=\w)/).map((part, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts never move
      <Fragment key={at}>
        {at > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </Text>
);

/** Addresses and names, one below the other. */
export const ValueList = ({ values, shown = 2, none = '' }: ValueListProps) => (
  <Stack gap={0} align="flex-start">
    {values.length === 0 && (
      <Text span fz="xs" c="dimmed">
        {none}
      </Text>
    )}
    {values.slice(0, shown).map((value) => (
      <Text key={value} span fz="xs" c="dimmed">
        <Name text={value} />
      </Text>
    ))}
    <More hidden={values.length - shown} />
  </Stack>
);

/** The same in a row, for details. */
export const ValueRow = ({ values, shown = 60, none = '' }: ValueListProps) => (
  <Group gap={6}>
    {values.length === 0 && (
      <Text span fz="sm" c="dimmed">
        {none}
      </Text>
    )}
    {values.slice(0, shown).map((value) => (
      <Code key={value}>{value}</Code>
    ))}
    <More hidden={values.length - shown} />
  </Group>
);

/** Of very many clusters the server names only the first, and how many there are. */
export const ClusterLinks = ({
  values,
  total,
  shown = 2,
  none = 'the platform',
}: ValueListProps & { total: number }) => (
  <Group gap="2px 8px">
    {values.length === 0 && (
      <Text span fz="sm" c="dimmed">
        {none}
      </Text>
    )}
    {values.slice(0, shown).map((name) => (
      <Anchor key={name} component={Link} href={`/clusters/${encodeURIComponent(name)}`} fz="sm">
        {name}
      </Anchor>
    ))}
    <More hidden={total - Math.min(values.length, shown)} />
  </Group>
);
