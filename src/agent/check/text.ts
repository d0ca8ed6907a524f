// The hops as a person reads them.
import type { CheckedGateway, Hop } from './hop.ts';

export const checkText = (gateways: readonly CheckedGateway[]): string => gateways.map(gatewayText).join('\n');

const gatewayText = ({ gateway, hops }: CheckedGateway): string =>
  `gateway ${gateway}\n${hops.map((hop) => `${hopText(hop)}\n`).join('')}`;

const nameWidth = 16;
const indent = ' '.repeat(2 + 9);

function hopText({ hop, outcome, ms, detail, code, fix }: Hop): string {
  const name = hop.replace('-', ' ').replace('tls', 'TLS').replace('api', 'API').padEnd(nameWidth);
  const time = (ms === undefined ? '' : `${Math.round(ms)} ms`).padStart(8);
  const line = `  ${outcome.padEnd(9)}${name}${time}`;
  if (outcome !== 'failed') return `${line}  ${detail ?? ''}`.trimEnd();
  const mark = code === undefined ? '' : ` [${code}]`;
  return `${line.trimEnd()}\n${indent}${detail}${mark}${fix === undefined ? '' : `\n${indent}fix: ${fix}`}`;
}
