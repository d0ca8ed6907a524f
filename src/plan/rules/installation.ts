// The installation as a whole: decisions, edition, authentication.
import { finding, nameOf, none, type PlanRule } from './rule.ts';

/** DOC-2, LB-3, NET-2 and every other question of the setup checklist. */
export const decisionRule: PlanRule = (_, { installation }) =>
  installation.decisions.map(({ row, question, field, resource }) =>
    finding('CW-DECISION-OPEN', {
      resource,
      path: field.split('.'),
      message: `${row} is not decided: ${question}`,
      fix: `set ${field}, or record the decision on ${row} in spec.decisions of the platform`,
    }),
  );

/** INS-3. */
export const editionRule: PlanRule = ({ model: { platform, seeds } }) => {
  if ((platform.spec.edition ?? 'CE') === 'EE' || seeds.length <= 1) return none;
  return [
    finding('CW-EDITION-SEEDS', {
      resource: nameOf(platform),
      path: ['spec', 'edition'],
      message: `the Community edition has one seed, but ${seeds.length} are written down (${seeds
        .map((seed) => seed.metadata.name)
        .slice(0, 5)
        .join(', ')}${seeds.length > 5 ? ' …' : ''})`,
      fix: 'set edition to EE, or keep one seed',
    }),
  ];
};

/** INS-2. */
export const pullSecretRule: PlanRule = ({ model: { platform } }) => {
  if (platform.spec.edition !== 'EE' || platform.spec.pullSecret !== undefined) return none;
  return [
    finding('CW-PULL-SECRET', {
      resource: nameOf(platform),
      path: ['spec', 'pullSecret'],
      message: 'edition is EE, but there is no pull secret for its images',
      fix: 'set pullSecret to where the secret is kept (env, file or secret)',
    }),
  ];
};

/** AUT-3. */
export const staticUsersRule: PlanRule = ({ model: { platform } }) => {
  const { staticUsers = [], passwordDB } = platform.spec.authentication?.dex ?? {};
  if (staticUsers.length === 0 || passwordDB === true) return none;
  return [
    finding('CW-AUTH-STATIC', {
      resource: nameOf(platform),
      path: ['spec', 'authentication', 'dex', 'passwordDB'],
      message: `static users (${staticUsers
        .map((user) => user.email)
        .slice(0, 3)
        .join(', ')}${staticUsers.length > 3 ? ' …' : ''}) cannot log in: the password database of Dex is off`,
      fix: 'set authentication.dex.passwordDB to true',
    }),
  ];
};
