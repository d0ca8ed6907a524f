// How the people who build the platform get in: SSH, interfaces of the providers, and the entries they test.
import type { PlanContext } from '../context.ts';
import * as id from '../places/ids.ts';
import { providerApiOf } from '../places/provider-api.ts';
import { remoteOfGit, remoteOfUrl } from '../places/remote.ts';
import { type DatacenterUse, usesOf, type WorkerSite } from '../places/uses.ts';
import { apiPortOf, ingressPortOf } from '../ports.ts';
import { platformSettings } from '../settings/index.ts';
import { clientPorts, entryOf, inOrder } from './exposing.ts';
import type { FlowList } from './flow-list.ts';
import { addCall } from './providers.ts';

const ssh = 22;

export function addAccess(list: FlowList, ctx: PlanContext): void {
  addConfiguration(list, ctx);
  if (ctx.model.platform.spec.access?.installer === undefined) return;
  addSsh(list, ctx);
  addTests(list, ctx);
  for (const use of usesOf(ctx).datacenters) addProvider(list, ctx, use);
}

function addConfiguration(list: FlowList, { model }: PlanContext): void {
  const { configRepository } = model.platform.spec;
  const vault = configRepository?.keyStore?.vault;
  const git = configRepository === undefined ? undefined : remoteOfGit(configRepository.url);
  const keys = vault === undefined ? undefined : remoteOfUrl(vault.address);
  const from = id.installer;
  if (git !== undefined)
    list.add({
      from,
      to: id.configRepository,
      ports: [git.port],
      reason: 'The configuration is kept in git.',
      requirement: 'CFG-1',
    });
  if (keys !== undefined)
    list.add({
      from,
      to: id.keyStore,
      ports: [keys.port],
      reason: 'Secrets are kept in the key store.',
      requirement: 'CFG-2',
    });
}

function addSsh(list: FlowList, ctx: PlanContext): void {
  const { bastion } = ctx.model.platform.spec.access ?? {};
  if (bastion !== undefined)
    list.add({
      from: id.installer,
      to: id.bastion,
      ports: [bastion.port ?? ssh],
      reason: 'SSH enters through the bastion.',
      requirement: 'ACC-2',
    });
  const from = bastion === undefined ? id.installer : id.bastion;
  const requirement = bastion === undefined ? 'ACC-1' : 'ACC-2';
  const reason = 'Nodes are set up by SSH.';
  const { seeds, datacenters } = usesOf(ctx);
  list.add({ from, to: id.masterNodes, ports: [ssh], reason, requirement });
  for (const { seed } of seeds)
    list.add({ from, to: id.seedPlace(seed.metadata.name, 'nodes'), ports: [ssh], reason, requirement });
  for (const { sites } of datacenters) for (const site of sites) list.add({ from, ...sshToWorkers(site) });
}

const sshToWorkers = ({ datacenter, network, members }: WorkerSite) => ({
  to: network.place,
  ports: [ssh],
  ...(datacenter.spec.integration === 'II'
    ? { reason: 'The network of the new location is provisioned by SSH.', requirement: 'INT-10' }
    : { reason: 'Workers are looked at while something is debugged.', requirement: 'ACC-5' }),
  members,
});

function addTests(list: FlowList, ctx: PlanContext): void {
  const { platform } = ctx.model;
  const test = { from: id.installer, reason: 'Load balancers are tested and debugged.', requirement: 'ACC-4' };
  list.add({ ...test, to: id.masterApi, ports: [apiPortOf(platform.spec.master.api)] });
  list.add({ ...test, to: id.masterIngress, ports: [ingressPortOf(platform)] });
  for (const { seed, strategies } of usesOf(ctx).seeds) {
    list.add({ ...test, to: id.seedPlace(seed.metadata.name, 'api'), ports: [apiPortOf(seed.spec.api)] });
    for (const [strategy, members] of inOrder(strategies))
      list.add({ ...test, to: entryOf(seed, strategy), ports: clientPorts(seed, strategy), members });
  }
}

function addProvider(list: FlowList, ctx: PlanContext, { datacenter }: DatacenterUse): void {
  const api = providerApiOf(ctx, datacenter);
  if (api === undefined) return;
  addCall(list, ctx, api, platformSettings(ctx).effective, {
    from: id.installer,
    to: id.datacenterPlace(datacenter.metadata.name, 'provider-api'),
    ports: api.ports,
    reason: 'The installation creates machines and networks.',
    requirement: 'ACC-3',
  });
}
