// Who checks who a user is. API servers of clusters run in the seeds, so seeds need the issuer as well.
import type { PlanContext } from '../context.ts';
import { connectorRemote, connectorsOf, outsideIssuer } from '../places/identity.ts';
import * as id from '../places/ids.ts';
import { ingressPortOf } from '../ports.ts';
import type { FlowList } from './flow-list.ts';

export function addIdentity(list: FlowList, ctx: PlanContext): void {
  if (ctx.model.platform.spec.authentication === undefined) return;
  addIssuer(list, ctx);
  for (const connector of connectorsOf(ctx.model.platform)) {
    const remote = connectorRemote(connector);
    if (remote === undefined) continue;
    const flow = { to: id.identityProvider, ports: [remote.port], requirement: 'AUT-2' };
    list.add({ ...flow, from: id.masterNodes, reason: 'Dex asks the identity source.' });
    // Everything but a directory sends the browser of the user to the source itself.
    if (connector.type !== 'ldap')
      list.add({ ...flow, from: id.users, reason: 'Users sign in at the identity source.' });
  }
}

function addIssuer(list: FlowList, { model: { platform, seeds } }: PlanContext): void {
  const outside = outsideIssuer(platform);
  const requirement = platform.spec.authentication?.external === undefined ? 'AUT-1' : 'AUT-5';
  const to = outside === undefined ? id.masterIngress : id.identityProvider;
  const ports = [outside?.port ?? ingressPortOf(platform)];
  const reason = 'API servers check tokens with the keys of the issuer.';
  list.add({ from: id.masterNodes, to, ports, reason: 'The platform signs users in at the issuer.', requirement });
  for (const seed of seeds)
    list.add({ from: id.seedPlace(seed.metadata.name, 'nodes'), to, ports, reason, requirement });
  // Behind the ingress, users come in by the port table already.
  if (outside !== undefined)
    list.add({ from: id.users, to, ports, reason: 'Users sign in at the issuer.', requirement });
}
