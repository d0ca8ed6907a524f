import { Center, Loader } from '@mantine/core';
import { Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { LiveProvider } from './api/live.tsx';
import { ErrorBoundary, NotFound } from './components/notices.tsx';
import { Reference } from './pages/findings/reference/reference.tsx';
import { LoginPage, routes } from './routes.ts';
import { Shell } from './shell/shell.tsx';

const Waiting = () => (
  <Center h={240}>
    <Loader type="dots" aria-label="Loading" />
  </Center>
);

/** One page: what goes wrong in it stays in it, and the navigation goes on. */
const contents = (
  <Switch>
    {routes.map(({ path, page: PageOfRoute }) => (
      <Route key={path} path={path}>
        <ErrorBoundary key={path}>
          <Suspense fallback={<Waiting />}>
            <PageOfRoute />
          </Suspense>
        </ErrorBoundary>
      </Route>
    ))}
    <Route>
      <NotFound />
    </Route>
  </Switch>
);

export const Pages = () => (
  <Switch>
    <Route path="/login">
      <Suspense fallback={<Waiting />}>
        <LoginPage />
      </Suspense>
    </Route>
    <Route>
      <LiveProvider>
        <Shell>{contents}</Shell>
        <Reference />
      </LiveProvider>
    </Route>
  </Switch>
);
