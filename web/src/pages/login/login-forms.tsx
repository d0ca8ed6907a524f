import { Button, Code, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { send } from '../../api/client.ts';
import { asTyped, ofPlatform } from '../../components/command.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { afterLogin, tokenIn } from './after-login.ts';

interface LoginFormProps {
  readonly credentials: () => Record<string, string>;
  readonly button: string;
  /** Another way comes first: this one stays in the background. */
  readonly isSecond: boolean;
  readonly children: ReactNode;
}

function LoginForm({ credentials, button, isSecond, children }: LoginFormProps) {
  const login = useMutation({
    mutationFn: () => send('POST', '/session', { body: credentials() }),
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
