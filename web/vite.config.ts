import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where `vite` finds the API while one works on the page: a running platform, or the sample one. */
const api = process.env.CAUSEWAY_API ?? 'http://127.0.0.1:8800';

/** The package of icons is one file that names six thousand others, and reading them all takes most of a build. */
const iconsOneByOne: Plugin = {
  name: 'icons-one-by-one',
  enforce: 'pre',
  transform: (code) =>
    code.replace(/^import \{([^}]+)\} from '@tabler\/icons-react';$/gm, (_, names: string) =>
      [...names.matchAll(/(?<!type )\bIcon\w+/g)]
        .map(([name]) => `import ${name} from '@tabler/icons-react/dist/esm/icons/${name}.mjs';`)
        .join(' '),
    ),
};

// biome-ignore lint/style/noDefaultExport: vite reads its configuration from there
export default defineConfig({
  root: import.meta.dirname,
  plugins: [iconsOneByOne, react()],
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } },
  server: { host: '127.0.0.1', proxy: { '/api': { target: api } } },
});
