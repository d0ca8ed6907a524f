import { Anchor, Drawer, Text, VisuallyHidden } from '@mantine/core';
import { IconCpu } from '@tabler/icons-react';
import type { Component } from '../../api/types.ts';
import { type Column, DataTable } from '../../components/data-table/data-table.tsx';
import { useUrlState } from '../../components/data-table/url-state.ts';
import { ago, asTyped, bytes } from '../../components/format.ts';
import { Health, type HealthState } from '../../components/health.tsx';
import { Logs } from '../../components/logs.tsx';
import { Notice } from '../../components/notices.tsx';
import { useNow } from '../../components/use-now.ts';

const keyOf = ({ scope, name }: Component): string => `${scope}/${name}`;

/** The programs of a cluster, on both sides; each one shows its log. */
export function ComponentsTab({ components }: { components: readonly Component[] }) {
  const url = useUrlState();
  const now = useNow(5_000);
  const opened = components.find((component) => keyOf(component) === url.get('log'));
  if (components.length === 0)
    return (
      <Notice icon={IconCpu} title="No program of this cluster runs here">
        Its control plane is run by something else, or has not been started yet.
      </Notice>
    );
  return (
    <>
      <DataTable
        label="Components"
        columns={columnsAt(now, (component) => url.set({ log: keyOf(component) }))}
        rows={components}
        keyOf={keyOf}
      />
      <Drawer
        opened={opened !== undefined}
        onClose={() => url.set({ log: undefined })}
        position="right"
        size="xl"
        title={opened && `Log of ${opened.name}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened && <Logs scope={opened.scope} name={opened.name} file={opened.logFile} />}
      </Drawer>
    </>
  );
}

const stateOf = ({ phase, healthy }: Component): HealthState => {
  if (healthy) return 'good';
  return phase === 'unhealthy' || phase === 'restarting' || phase === 'failed' ? 'bad' : 'warn';
};

const phaseWords: Record<Component['phase'], string> = {
  waiting: 'Waits',
  getting: 'Is being fetched',
  starting: 'Starts',
  healthy: 'Healthy',
  unhealthy: 'Unhealthy',
  restarting: 'Restarts',
  failed: 'Cannot start',
  stopping: 'Stops',
  stopped: 'Stopped',
};

const columnsAt = (now: number, onLog: (component: Component) => void): readonly Column<Component>[] => [
  {
    title: 'Component',
    width: '24%',
    cell: ({ name, scope, version }) => (
      <>
        <Text fz="sm" fw={600}>
          {name}
        </Text>
        <Text fz="xs" c="dimmed">
          {scope.startsWith('worker/') ? 'worker side' : 'control plane'}
          {version === undefined ? '' : `, ${version}`}
        </Text>
      </>
    ),
  },
  {
    title: 'Health',
    width: '28%',
    cell: (component) => (
      <>
        <Health state={stateOf(component)} text={phaseWords[component.phase]} />
        <Text fz="xs" c="dimmed">
          {asTyped([component.why, component.next].filter(Boolean).join('; '))}
        </Text>
      </>
    ),
  },
  { title: 'Since', cell: ({ since }) => ago(since, now) },
  { title: 'Restarts', cell: ({ restarts }) => restarts },
  { title: 'Memory', cell: ({ memoryBytes }) => memoryBytes !== undefined && bytes(memoryBytes) },
  { title: 'CPU', cell: ({ cpuSeconds }) => cpuSeconds !== undefined && `${cpuSeconds.toFixed(1)} s` },
  {
    title: 'Log',
    cell: (component) => (
      <Anchor component="button" type="button" fz="sm" onClick={() => onLog(component)}>
        Show
        <VisuallyHidden> the log of {component.name}</VisuallyHidden>
      </Anchor>
    ),
  },
];
