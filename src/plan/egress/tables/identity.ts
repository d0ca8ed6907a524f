// Public identity sources that Dex asks. A source with an endpoint of its own is a flow to the identity provider.
import type { Download, Facts } from '../download.ts';

const publicSources: Readonly<Record<string, readonly string[]>> = {
  github: ['github.com', 'api.github.com'],
  gitlab: ['gitlab.com'],
  google: ['accounts.google.com', 'oauth2.googleapis.com', 'www.googleapis.com'],
  microsoft: ['login.microsoftonline.com', 'graph.microsoft.com'],
  'bitbucket-cloud': ['bitbucket.org', 'api.bitbucket.org'],
};

const sourcesOf = (facts: Facts): readonly string[] =>
  (facts.platform.authentication?.dex?.connectors ?? [])
    .filter((connector) => connector.endpoint === undefined)
    .flatMap((connector) => publicSources[connector.type] ?? []);

export const identitySources: readonly Download[] = [
  {
    host: (facts) => [...new Set(sourcesOf(facts))],
    component: 'Dex connector',
    reason: 'Signs users in and reads their groups.',
    requirement: 'AUT-4',
    at: ['master'],
    service: true,
  },
];
