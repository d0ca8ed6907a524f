import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { exchangeToken } from './api/session.ts';
import { App } from './app.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

// The printed URL carries a one-time token: it becomes a cookie before the first question is asked.
await exchangeToken();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
