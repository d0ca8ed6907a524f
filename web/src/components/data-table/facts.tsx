import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './facts.module.css';

export type Fact = readonly [name: string, value: ReactNode];

/** Names and what they stand for, as the details of a row have them. What is undefined is left out. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={styles.facts}>
    {facts
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => (
        <Box key={name} className={styles.fact}>
          <Text component="dt" fz="xs" c="dimmed" lh={1.8}>
            {name}
          </Text>
          <Text component="dd" fz="sm" m={0} miw={0}>
            {value}
          </Text>
        </Box>
      ))}
  </dl>
);
