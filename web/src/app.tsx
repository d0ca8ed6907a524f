import { createQueryClient } from './api/queries.ts';
import './app.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Pages } from './pages.tsx';
import { cssVariables, theme } from './theme.ts';
import '@mantine/core/styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { Router } from 'wouter';

const queryClient = createQueryClient();
// The key is also read by public/color-scheme.js.
const colorSchemes = localStorageColorSchemeManager({ key: 'causeway-color-scheme' });

export const App = () => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    colorSchemeManager={colorSchemes}
    defaultColorScheme="auto"
  >
    <QueryClientProvider client={queryClient}>
      <Router>
        <Pages />
      </Router>
    </QueryClientProvider>
  </MantineProvider>
);
