// The suite itself is checked: real Envoy, configured as KKP does it, keeps the promises about bytes.
import { test } from 'node:test';
import { needReal } from '../../support/real-programs.ts';
import { dataPathPromises } from './data-path/index.ts';
import { envoyDrainSeconds, envoyEngine } from './envoy.ts';

let program: string | undefined;

await test('Envoy can be had', async (t) => {
  program = (await needReal(t, 'envoy'))?.envoy;
});

if (program !== undefined) {
  // KKP keeps all authorities in one filter chain, so any change drains every tunnel.
  // A request whose response has ended is over for it, although CONNECT has no such order.
  const lacks = { keepsTunnels: false, halfClosesTunnels: false };
  dataPathPromises({ engine: envoyEngine(program), graceMs: envoyDrainSeconds * 1000, ...lacks });
}
