import { Divider, Drawer, Stack } from '@mantine/core';
import { Fragment } from 'react';
import type { TopologyEdge } from '../../api/types.ts';
import { count } from '../../components/format.ts';
import { HopDetails } from '../../components/hops/hop-details.tsx';
import type { Rates } from '../../components/hops/rates.ts';

interface HopsDrawerProps {
  readonly title: string;
  readonly hops: readonly TopologyEdge[];
  readonly rates: Rates;
  readonly onClose: () => void;
}

/** A line of an aggregated picture stands for many; a list of the first says enough. */
const shown = 20;

export const HopsDrawer = ({ title, hops, rates, onClose }: HopsDrawerProps) => (
  <Drawer
    opened={hops.length > 0}
    onClose={onClose}
    position="right"
    size={460}
    title={title}
    closeButtonProps={{ 'aria-label': 'Close' }}
  >
    <Stack gap="md">
      {hops.slice(0, shown).map((hop, index) => (
        <Fragment key={hop.id}>
          {index > 0 && <Divider />}
          <HopDetails hop={hop} pace={rates.get(hop.id)} />
        </Fragment>
      ))}
      {hops.length > shown && `and ${count(hops.length - shown, 'more connection')}`}
    </Stack>
  </Drawer>
);
