import { Text, Tooltip } from '@mantine/core';
import { Health, type HealthState } from '../../components/health.tsx';
import { span } from '../../components/units.ts';

const day = 86_400_000;
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' });

/** Ours are renewed long before this; one that comes so near has not been. */
const soon = 7 * day;

/** When a certificate ends, where the platform serves it and so can know. */
export function Expiry({ notAfter }: { notAfter: number | undefined }) {
  if (notAfter === undefined) {
    return (
      <Text span fz="sm" c="dimmed">
        not served here
      </Text>
    );
  }
  const left = notAfter - Date.now();
  return (
    <Tooltip label={whole.format(notAfter)}>
      <span>
        <Health state={stateOf(left)} text={left > 0 ? `in ${span(left)}` : `${span(-left)} ago`} />
      </span>
    </Tooltip>
  );
}

const stateOf = (left: number): HealthState => (left <= 0 ? 'bad' : left < soon ? 'warn' : 'good');
