import type { Request, TeamDiff } from '../../render/diff/index.ts';
import { bold, dim, green, red } from '../views/style.ts';

const titles: Record<TeamDiff['team'], readonly [ask: string, close: string]> = {
  firewall: ['Ask the firewall team to open', 'The firewall team may close'],
  dns: ['Ask the DNS team to create', 'The DNS team may delete'],
  certificates: ['Ask the certificate team for', 'Certificates no longer needed'],
  'allow-list': ['Ask for on the allow-list', 'May go from the allow-list'],
  addresses: ['Reserve', 'Free again'],
};

const nothing = 'Nothing changes for firewall, DNS, certificates, allow-list or addresses.\n';

export function textDiff(teams: readonly TeamDiff[]): string {
  const blocks = teams.flatMap(({ team, ask, close }) => [
    block(titles[team][0], ask, (r) => `  ${green('+')} ${r.text}${why(r)}`),
    block(titles[team][1], close, (r) => `  ${red('-')} ${r.text}`),
  ]);
  return blocks.join('') || nothing;
}

const why = (request: Request): string => (request.reason === '' ? '' : `\n      ${dim(request.reason)}`);
const block = (title: string, requests: readonly Request[], line: (request: Request) => string): string =>
  requests.length === 0 ? '' : `${bold(title)}\n${requests.map(line).join('\n')}\n\n`;

/** For a pull request: one section per team, ready to be copied into a ticket. */
export function markdownDiff(teams: readonly TeamDiff[]): string {
  const section = (title: string, requests: readonly Request[]): string =>
    requests.length === 0
      ? ''
      : `### ${title}\n\n${requests.map((r) => `- \`${r.text.replaceAll('`', "'")}\` ${r.reason}`.trimEnd()).join('\n')}\n\n`;
  const text = teams
    .map(({ team, ask, close }) => section(titles[team][0], ask) + section(titles[team][1], close))
    .join('');
  return text || nothing;
}
