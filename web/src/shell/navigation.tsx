import { Badge, NavLink } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { useSummary } from '../api/use-api.ts';
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
