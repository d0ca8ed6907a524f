import { Anchor, Text, Tooltip } from '@mantine/core';
import { Link } from 'wouter';
import type { ApiEvent } from '../../api/types.ts';
import { asTyped } from '../../components/command.ts';
import type { Column } from '../../components/data-table/data-table.tsx';
import { Health, type HealthState } from '../../components/health.tsx';
import { clusterOf } from './history.ts';

const states: Record<ApiEvent['level'], HealthState> = { info: 'idle', warn: 'warn', error: 'bad' };
const words: Record<ApiEvent['level'], string> = { info: 'Information', warn: 'Warning', error: 'Error' };

export const columns: readonly Column<ApiEvent>[] = [
  { title: 'When', width: '150px', cell: ({ at }) => <When at={at} /> },
  { title: 'Level', width: '130px', cell: ({ level }) => <Health state={states[level]} text={words[level]} /> },
  { title: 'About', width: '28%', cell: ({ subject }) => <Subject subject={subject} /> },
  { title: 'What', cell: ({ message }) => asTyped(message) },
];

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** The day is worth saying only where it is not today. */
function When({ at }: { at: number }) {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return (
    <Tooltip label={whole.format(at)}>
      <Text span fz="sm" className="figures" component="time">
        {isToday ? '' : `${day.format(at)}, `}
        {time.format(at)}
      </Text>
    </Tooltip>
  );
}

function Subject({ subject }: { subject: string }) {
  const cluster = clusterOf(subject);
  if (cluster === undefined) return subject;
  return (
    <Anchor component={Link} href={`/clusters/${encodeURIComponent(cluster)}`} fz="sm">
      {subject}
    </Anchor>
  );
}
