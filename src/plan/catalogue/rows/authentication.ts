// Who users are.
import { issuerUrlOf } from '../../places/identity.ts';
import * as when from '../conditions.ts';
import { groups } from '../groups.ts';
import { row, rowsOf } from '../row.ts';
import type { List } from '../sources.ts';
import * as t from '../targets.ts';
import * as v from '../vantages.ts';

const dex = 'Platform.spec.authentication.dex';
const issuer: List = ({ ctx }) => [issuerUrlOf(ctx.model.platform)];
const usesDex = when.platformHas((spec) => spec.authentication?.external === undefined);
const connectors: List = ({ ctx }) =>
  (ctx.model.platform.spec.authentication?.dex?.connectors ?? []).map(
    (connector) => connector.endpoint ?? `${connector.type}: ${connector.name}`,
  );
const hasConnector = (...types: readonly string[]) =>
  when.platformHas((spec) => (spec.authentication?.dex?.connectors ?? []).some(({ type }) => types.includes(type)));

export const authentication = rowsOf(groups.authentication, [
  row('AUT-1', 'L/B', 'The issuer answers under exactly the address that is configured.', {
    inputs: [`${dex}.issuer`, 'Platform.spec.authentication.external.issuer'],
    vantages: [v.users, v.master, v.seeds],
    targets: [issuer],
  }),
  row('AUT-2', 'L/B', 'The source behind Dex is chosen and answers.', {
    inputs: ['type', 'endpoint', 'baseDN', 'clientID', 'metadata', 'credentials'].map(
      (field) => `${dex}.connectors.${field}`,
    ),
    vantages: [v.master],
    targets: [connectors],
    when: usesDex,
  }),
  row('AUT-3', 'P/W', 'Static users have good hashes, and Dex uses them.', {
    inputs: [`${dex}.staticUsers.hash`, `${dex}.passwordDB`],
    targets: [t.platform],
    when: when.platformHas((spec) => (spec.authentication?.dex?.staticUsers ?? []).length > 0),
    promise: { finding: ['CW-AUTH-STATIC'] },
  }),
  row('AUT-4', 'L/W', 'The organisation at GitHub or GitLab exists and can be read.', {
    inputs: [`${dex}.connectors.organization`, `${dex}.connectors.endpoint`],
    vantages: [v.master],
    targets: [connectors],
    when: hasConnector('github', 'gitlab'),
  }),
  row('AUT-5', 'L/B', 'An own identity provider accepts the platform as its client.', {
    inputs: ['issuer', 'clientID', 'clientSecret'].map((field) => `Platform.spec.authentication.external.${field}`),
    vantages: [v.users, v.master, v.seeds],
    targets: [issuer],
    when: (s) => !usesDex(s),
  }),
]);
