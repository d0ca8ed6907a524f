import { Grid, Paper, Timeline } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import type { ClusterDetail } from '../../api/types.ts';
import { HealthIcon, healthOf } from '../../components/health.tsx';
import { HopDetails } from '../../components/hops/hop-details.tsx';
import { useRates } from '../../components/hops/use-rates.ts';
import { Notice } from '../../components/notices.tsx';
import { Endpoints } from './endpoints.tsx';

/** The way to the control plane, hop by hop, beside how it was planned. */
export const PathTab = ({ cluster, at }: { cluster: ClusterDetail; at: number }) => (
  <Grid gap="lg">
    <Grid.Col span={{ base: 12, lg: 7 }}>
      {cluster.hops.length === 0 ? (
        <Notice icon={IconRoute} title="Nothing is known about its way yet">
          It appears here as soon as the platform has tried it.
        </Notice>
      ) : (
        <Hops cluster={cluster} at={at} />
      )}
    </Grid.Col>
    <Grid.Col span={{ base: 12, lg: 5 }}>{cluster.plan !== undefined && <Endpoints cluster={cluster} />}</Grid.Col>
  </Grid>
);

function Hops({ cluster: { hops }, at }: { cluster: ClusterDetail; at: number }) {
  const rates = useRates(hops, at);
  return (
    <Timeline bulletSize={26} lineWidth={2} active={hops.length} color="var(--cw-line)">
      {hops.map((hop) => (
        <Timeline.Item
          key={hop.id}
          bullet={<HealthIcon state={healthOf(hop)} size={24} />}
          styles={{ itemBullet: { background: 'var(--cw-page)', borderColor: 'transparent' } }}
        >
          <Paper withBorder p="md">
            <HopDetails hop={hop} pace={rates.get(hop.id)} />
          </Paper>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
