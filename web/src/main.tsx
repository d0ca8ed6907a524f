import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { logInByAddress } from './pages/login/log-in-by-address.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
await logInByAddress();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
