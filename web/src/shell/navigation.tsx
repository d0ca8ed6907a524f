import { Badge, Box, NavLink, Text } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { useSummary } from '../api/queries.ts';
import { Health } from '../components/health.tsx';
import { routes } from '../routes.ts';

const isOpen = (href: string, location: string): boolean =>
  href === '/' ? location === '/' : location === href || location.startsWith(`${href}/`);

export function Navigation() {
  const [location] = useLocation();
  return (
    <nav aria-label="Pages">
      {routes.map(({ title, navigation }) =>
        navigation === undefined ? null : (
          <NavLink
            key={title}
            component={Link}
            href={navigation.href}
            label={title}
            active={isOpen(navigation.href, location)}
            aria-current={isOpen(navigation.href, location) ? 'page' : undefined}
            leftSection={<navigation.icon size={18} stroke={1.7} aria-hidden />}
            rightSection={title === 'Findings' ? <FindingsCount /> : undefined}
            style={{ borderRadius: 'var(--mantine-radius-md)' }}
          />
        ),
      )}
    </nav>
  );
}

function FindingsCount() {
  const { errors = 0, warnings = 0 } = useSummary().data?.findings ?? {};
  const findings = errors + warnings;
  if (findings === 0) return null;
  return (
    <Badge size="sm" variant="default" aria-label={`${findings} findings`}>
      {findings}
    </Badge>
  );
}

/** Which platform this is: whoever has several of them open must not mix them up. */
export function PlatformCard() {
  const summary = useSummary().data;
  if (summary === undefined) return null;
  const { name, domain, directory, clusters } = summary;
  return (
    <Box p="xs" style={{ borderTop: '1px solid var(--cw-line)' }}>
      <Text fz="sm" fw={600} truncate title={directory}>
        {name ?? directory.split('/').at(-1)}
      </Text>
      <Text fz="xs" c="dimmed" truncate title={domain}>
        {domain}
      </Text>
      <Readiness {...clusters} />
    </Box>
  );
}

function Readiness({ ready, starting, total }: { ready: number; starting: number; total: number }) {
  if (total === 0) return <Health state="idle" text="no cluster yet" size={14} />;
  const text = `${ready.toLocaleString('en')} of ${total.toLocaleString('en')} ready`;
  const state = ready === total ? 'good' : ready + starting === total ? 'busy' : 'warn';
  return <Health state={state} text={text} size={14} />;
}
