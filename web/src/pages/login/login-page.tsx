import { Alert, Box, Button, Divider, Paper, Stack, Text, Title } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { get } from '../../api/client.ts';
import type { LoginMethods } from '../../api/types.ts';
import { useUrlState } from '../../components/data-table/url-state.ts';
import { Loaded } from '../../components/loaded.tsx';
import { afterLogin } from './after-login.ts';
import { PasswordForm, TokenForm } from './login-forms.tsx';

export function LoginPage() {
  const query = useQuery({ queryKey: ['login-methods'], queryFn: () => get<LoginMethods>('/login/methods') });
  useEffect(() => {
    document.title = 'Log in · Causeway';
  }, []);
  return (
    <Box component="main" px="md" py={{ base: 48, sm: 96 }} maw={432} mx="auto">
      <Stack align="center" gap="xs" mb="lg">
        <img src="/favicon.svg" width={52} height={52} alt="" />
        <Title order={1} fz={24}>
          Log in to Causeway
        </Title>
      </Stack>
      <Paper withBorder p="lg" shadow="sm">
        <Problem />
        <Loaded query={query} lines={3}>
          {(methods) => <Methods {...methods} />}
        </Loaded>
      </Paper>
    </Box>
  );
}

/** Why the server sent somebody back here. */
const problems: Readonly<Record<string, string>> = {
  'CW-API-LINK': 'The token of that address was used before, or is too old. Each one lets one browser in, once.',
  'CW-API-OIDC': 'The login at the provider was not finished, or took too long. Try again.',
  'CW-API-ROLE': 'You are known, but none of your groups has a role here. Ask an administrator to give it one.',
};

function Problem() {
  const code = useUrlState().get('problem');
  if (code === '') return null;
  return (
    <Alert color="orange" mb="md" role="alert" title="That did not work">
      {problems[code] ?? `The login was refused (${code}).`}
    </Alert>
  );
}

/** Everything that this platform accepts, the most personal first. */
function Methods({ token, password, oidc }: LoginMethods) {
  const ways = [
    oidc && <ProviderButton key="oidc" {...oidc} />,
    password && <PasswordForm key="password" isSecond={oidc !== undefined} />,
    token && <TokenForm key="token" isSecond={password || oidc !== undefined} />,
  ].filter((way) => way !== undefined && way !== false);
  if (ways.length === 0) return <Text>This platform lets nobody in by the browser: see its log.</Text>;
  return (
    <Stack gap="md">
      {ways.flatMap((way, index) => (index === 0 ? [way] : [<Divider key={`or ${way.key}`} label="or" />, way]))}
    </Stack>
  );
}

const ProviderButton = ({ issuer, url }: NonNullable<LoginMethods['oidc']>) => (
  <Button
    component="a"
    href={`${url}?next=${encodeURIComponent(afterLogin(location.search))}`}
    leftSection={<IconLogin2 size={18} />}
    fullWidth
  >
    Log in with {hostOf(issuer)}
  </Button>
);

const hostOf = (issuer: string): string => (URL.canParse(issuer) ? new URL(issuer).host : issuer);
