import { Alert, Box, Button, Code, Divider, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { get } from '../../api/client.ts';
import { logIn } from '../../api/queries.ts';
import type { LoginMethods } from '../../api/types.ts';
import { useUrlState } from '../../components/data-table/url-state.ts';
import { asTyped, ofPlatform } from '../../components/format.ts';
import { Loaded, ProblemAlert } from '../../components/notices.tsx';
import { afterLogin, tokenIn } from './after-login.ts';

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

interface LoginFormProps {
  readonly credentials: () => Record<string, string>;
  readonly button: string;
  /** Another way comes first: this one stays in the background. */
  readonly isSecond: boolean;
  readonly children: ReactNode;
}

function LoginForm({ credentials, button, isSecond, children }: LoginFormProps) {
  const login = useMutation({
    mutationFn: () => logIn(credentials()),
    // Loaded anew: nothing that was refused before is to be remembered.
    onSuccess: () => location.assign(afterLogin(location.search)),
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    login.mutate();
  };
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        {children}
        {login.error !== null && <ProblemAlert error={login.error} />}
        <Button
          type="submit"
          fullWidth
          variant={isSecond ? 'default' : 'filled'}
          loading={login.isPending || login.isSuccess}
        >
          {button}
        </Button>
      </Stack>
    </form>
  );
}

export function PasswordForm({ isSecond }: { isSecond: boolean }) {
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  return (
    <LoginForm button="Log in" isSecond={isSecond} credentials={() => ({ user, password })}>
      <TextInput
        label="User"
        autoComplete="username"
        required
        withAsterisk={false}
        value={user}
        onChange={(event) => setUser(event.currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </LoginForm>
  );
}

export function TokenForm({ isSecond }: { isSecond: boolean }) {
  const [text, setText] = useState('');
  return (
    <LoginForm button="Log in with the token" isSecond={isSecond} credentials={() => ({ token: tokenIn(text) })}>
      <Text fz="sm" c="dimmed">
        <Code>{asTyped(`causeway status${ofPlatform('argument')}`)}</Code> prints an address with a one-time token. Open
        it, or paste it here.
      </Text>
      <PasswordInput
        label="Address or token"
        autoComplete="off"
        required
        withAsterisk={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </LoginForm>
  );
}
