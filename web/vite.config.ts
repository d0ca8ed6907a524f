import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `vite` finds the API while one works on the page: a running platform, or the sample one. */
const api = process.env.CAUSEWAY_API ?? 'http://127.0.0.1:8800';

// biome-ignore lint/style/noDefaultExport: vite reads its configuration from there
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } },
  server: { host: '127.0.0.1', proxy: { '/api': { target: api } } },
});
