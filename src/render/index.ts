// Every artefact there is, and the one function that makes them from a plan.
import { suggestion } from '../core/suggest.ts';
import type { Plan } from '../plan/schema/index.ts';
import { addressPlan } from './addresses.ts';
import type { Artefact, RenderedFile } from './artefact.ts';
import { certManager } from './certificates/cert-manager.ts';
import { openssl } from './certificates/openssl.ts';
import { sans } from './certificates/sans.ts';
import { checklist } from './checklist/index.ts';
import { dnsEndpoint } from './dns/dns-endpoint.ts';
import { zone } from './dns/zone.ts';
import { allowList } from './egress/allow-list.ts';
import { squid } from './egress/squid.ts';
import { RenderError } from './errors.ts';
import { firewall } from './firewall/matrix.ts';
import { nftables } from './firewall/nftables.ts';
import { gateway } from './gateway.ts';
import { cilium } from './load-balancer/cilium.ts';
import { metallb } from './load-balancer/metallb.ts';
import { prefixList } from './load-balancer/router.ts';

export type { Artefact, RenderedFile } from './artefact.ts';
export { RenderError } from './errors.ts';

export const artefacts: readonly Artefact[] = [
  checklist,
  firewall,
  nftables,
  zone,
  dnsEndpoint,
  sans,
  openssl,
  certManager,
  allowList,
  squid,
  metallb,
  cilium,
  prefixList,
  addressPlan,
  gateway,
];

export interface RenderOptions {
  /** Names of artefacts. @default all of them */
  readonly only?: readonly string[];
}

/** The files of all artefacts, or of the named ones. Pure: nothing is written. */
export const renderPlan = (plan: Plan, { only }: RenderOptions = {}): RenderedFile[] =>
  chosen(only).flatMap(({ name, files }) => files(plan).map((file) => ({ ...file, artefact: name })));

function chosen(only: readonly string[] | undefined): readonly Artefact[] {
  if (only === undefined) return artefacts;
  const names = artefacts.map(({ name }) => name);
  for (const name of only) if (!names.includes(name)) throw unknownArtefact(name, names);
  return artefacts.filter(({ name }) => only.includes(name));
}

function unknownArtefact(name: string, names: readonly string[]): RenderError {
  return new RenderError('unknown-artefact', `there is no artefact "${name.slice(0, 80)}"`, suggestion(name, names));
}

export { diffPlans, type Request, type TeamDiff } from './diff/index.ts';
export { nftables } from './firewall/nftables.ts';
export { placeOf, portsText, whereOf, whereText } from './firewall/rows.ts';
export { type WriteResult, writeArtefacts } from './write.ts';
