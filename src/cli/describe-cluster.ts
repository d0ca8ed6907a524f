// The commands of "causeway cluster", with nothing behind them.
import type { Command } from 'commander';
import { lifetimes } from '../core/lifetimes.ts';
import { onlyOne, platformArgument, run, ttlOf } from './description.ts';
import { durationOption } from './duration-option.ts';

const { join } = lifetimes;

export function describeCluster(program: Command): void {
  const cluster = program
    .command('cluster')
    .description('list clusters; add workers to one, back it up, restore or delete it');
  const command = (name: string, text: string): Command =>
    cluster
      .command(name)
      .description(text)
      .argument('<cluster>', 'name of the cluster')
      .option('--dir <dir>', platformArgument);
  cluster
    .command('list')
    .description('list the clusters of the running platform')
    .option('--dir <dir>', platformArgument)
    .addOption(onlyOne('-o, --output <format>', 'format', ['table', 'json']).default('table'))
    .action(run(async () => (await import('./commands/cluster-list.ts')).runClusterList));
  command('join', 'print a script that makes a machine a worker; whoever has it can add nodes')
    .addOption(
      durationOption('--ttl <duration>', `how long it is good; at most ${join.most}`, ttlOf('join')).default(
        join.usual,
      ),
    )
    .addOption(onlyOne('-o, --output <format>', 'format', ['script', 'kubeadm', 'json']).default('script'))
    .action(run(async () => (await import('./commands/cluster-join.ts')).runClusterJoin));
  command('evict-node', 'shut a node out now: its agent and its kubelet; no key is rotated, other nodes go on')
    .argument('<node>', 'name of the node, as "kubectl get nodes" shows it')
    .action(run(async () => (await import('./commands/cluster-evict.ts')).runEvictNode));
  command('readmit-node', 'let a node in again that was evicted')
    .argument('<node>', 'name of the node')
    .action(run(async () => (await import('./commands/cluster-evict.ts')).runReadmitNode));
  command('evicted-nodes', 'list the nodes that are shut out')
    .addOption(onlyOne('-o, --output <format>', 'format', ['table', 'json']).default('table'))
    .action(run(async () => (await import('./commands/cluster-evict.ts')).runEvictedNodes));
  command('backup', 'save the data of a running cluster now').action(
    run(async () => (await import('./commands/cluster-backup.ts')).runClusterBackup),
  );
  command('backups', 'list what was saved, newest first')
    .addOption(onlyOne('-o, --output <format>', 'format', ['table', 'json']).default('table'))
    .action(run(async () => (await import('./commands/cluster-backup.ts')).runClusterBackups));
  command(
    'restore',
    'bring saved data back, and wait until the cluster is ready; asks first. What is there now is put aside',
  )
    .option('--from <backup>', 'name of a backup, a snapshot file, or latest', 'latest')
    .option('--older', 'also one that is not the newest: what was written since is lost')
    .option('--unauthenticated', 'also one of which nothing proves who wrote it, as those from before this was proven')
    .option('--yes', 'do not ask')
    .addOption(durationOption('--wait <duration>', 'how long to wait until the cluster is ready').default('5m'))
    .action(run(async () => (await import('./commands/cluster-restore.ts')).runClusterRestore));
  command('delete', 'delete a cluster with all of its data; asks first')
    .option('--yes', 'do not ask')
    .action(run(async () => (await import('./commands/cluster-delete.ts')).runClusterDelete));
}
