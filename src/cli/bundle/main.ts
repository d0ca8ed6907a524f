// A program of its own: `up` starts it when everything is ready, so that nobody waits for it.
import { fileURLToPath } from 'node:url';
import { makeBundle } from './make-bundle.ts';

await makeBundle(fileURLToPath(new URL('../../../', import.meta.url)));
