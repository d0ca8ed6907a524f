import { Anchor } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Notice } from './notice.tsx';
import { Page } from './page.tsx';

export const NotFound = () => (
  <Page title="No such page">
    <Notice icon={IconMapOff} title="Nothing is at this address">
      The link may be old, or mistyped.{' '}
      <Anchor component={Link} href="/">
        Go to the topology
      </Anchor>
      , or search with Ctrl K.
    </Notice>
  </Page>
);
